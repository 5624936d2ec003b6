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

test.each([
  ['--format', 'is empty', 'choose one of: text, json, github, gitlab, sarif, markdown; if a shell variable stands'],
  ['--timeout', 'is empty: it must be a number of seconds above 0, and up to 86400', 'if a shell variable stands'],
  ['--context', 'is empty', 'known contexts: local; if a shell variable stands'],
  ['--max-warnings', 'is empty: it must be a whole number from 0 to 1000000', 'if a shell variable stands'],
])('a flag %s without its value, as of a variable that is not set, says so', async (flag, what, hint) => {
  const { vatom } = await publisher()
  for (const empty of ['', ' ']) {
    const { code, out, err } = await vatom('plan', 'x.yaml', flag, empty)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`error: ${flag} ${what}\nhint: ${hint}`)
  }
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
