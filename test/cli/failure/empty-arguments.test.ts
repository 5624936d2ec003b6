import { expect, test } from 'vitest'
import { publisher } from '../../support/vatom.ts'

const id = '00000000-0000-4000-8000-000000000000'

/** A desk that counts what its commands ask the service. */
async function countingDesk() {
  const desk = await publisher()
  let requests = 0
  const { inject } = desk.service
  desk.service.inject = (...request) => {
    requests++
    return inject(...request)
  }
  return { ...desk, requests: () => requests }
}

test.each([
  ['name', ['template', 'get', '']],
  ['name', ['template', 'publish', ' ', '--yes']],
  ['name', ['variation', 'delete', 'local.vatom::Coupon::v1::Red', '', '--yes']],
  ['name', ['snapshot', 'delete', '', '--yes']],
  ['name', ['context', 'use', '']],
  ['template', ['face', 'list', '']],
  ['variation', ['emit', '']],
  ['id', ['show', '']],
  ['id', ['show', id, '']],
  ['id', ['trash', '', '--yes']],
  ['id', ['face', 'delete', '', '--yes']],
  ['id', ['user', 'get', '']],
  ['id', ['act', 'Transfer', '', '-d', 'new.owner.email=a@example.com']],
  ['action', ['act', '', id]],
  ['token', ['user', 'token', 'delete', '']],
  ['user', ['thread', 'show', '']],
  ['folder', ['pull', '', '--yes']],
  ['folder', ['init', ' ']],
])('an empty %s is refused before any request: %j', async (what, args) => {
  const { vatom, requests } = await countingDesk()
  const { code, out, err } = await vatom(...args)
  expect({ code, out, requests: requests() }).toEqual({ code: 2, out: '', requests: 0 })
  expect(err).toContain(`error: The ${what} is empty\nhint: `)
  expect(err).not.toContain('VATOM_BASE_URL')
})

test('a name is asked for, and an empty text that is no name is not refused', async () => {
  const { vatom, requests } = await countingDesk()
  await vatom('template', 'get', 'x')
  expect(requests()).toBeGreaterThan(0)
  for (const args of [
    ['thread', 'send', id, ''],
    ['explain', ''],
    ['__complete', 'context', ''],
  ])
    expect((await vatom(...args)).err).not.toMatch(/The \w+ is empty/)
})
