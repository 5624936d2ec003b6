import { rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { action, coupon, red, template, variation } from '../../fixtures/yaml.ts'
import { transports } from '../../support/desks.ts'
import { lossy } from '../../support/lossy.ts'
import { publisher } from '../../support/vatom.ts'

describe.each(transports)('drafts are deleted with the vAtoms of somebody else, on the %s transport', (transport) => {
  /** A catalog with a variation, of whose vAtoms some were sent to another user. */
  async function sent(all: number, others: number) {
    const desk = await publisher({ transport })
    desk.file('catalog/vatom.yaml', 'catalog: shop\n')
    desk.file(
      'catalog/coupon.yaml',
      template().replace('    title: Coupon', '    title: Coupon\n    transferable: true'),
    )
    desk.file('catalog/transfer.yaml', action('Transfer', 'wait: true\n'))
    desk.file('catalog/red.yaml', variation())
    await desk.json('apply', 'catalog', '--yes')
    await desk.json('user', 'register', '--email', 'ann@example.com')
    const emitted = await desk.json('emit', red, '--num', String(all))
    for (let index = 0; index < others; index++)
      await desk.json('act', 'Transfer', String(at(emitted, 'ids', index)), '-d', 'new.owner.email=ann@example.com')
    rmSync(join(desk.home, 'catalog/red.yaml'))
    return { ...desk, first: String(at(emitted, 'ids', 0)) }
  }

  test.each([
    [3, 0, '3 vAtoms'],
    [3, 1, '3 vAtoms (1 of somebody else)'],
    [2, 2, '2 vAtoms (all of somebody else)'],
    [1, 1, '1 vAtom of somebody else'],
  ])('of %i, %i', async (all, others, said) => {
    const { vatom, json } = await sent(all, others)
    const [whole, narrow] = [
      `template ${coupon} with its faces and actions, 1 variation and ${said}`,
      `variation ${red} with ${said}`,
    ]
    expect((await vatom('variation', 'delete', red)).err).toContain(`Delete ${narrow}?`)
    expect((await vatom('template', 'delete', coupon)).err).toContain(`Delete ${whole}?`)
    expect((await vatom('variation', 'delete', red, '--dry-run')).out).toContain(`Would delete ${narrow} on`)
    expect(await json('template', 'delete', coupon, '--dry-run')).toMatchObject({
      results: [{ message: expect.stringContaining(whole) }],
    })
    expect((await vatom('plan', 'catalog', '--prune', '--out', 'it.plan')).out).toContain(`  - ${narrow}\n`)
    expect((await vatom('plan', 'show', 'it.plan')).out).toContain(`  - ${narrow}\n`)
    expect(await json('plan', 'catalog', '--prune')).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ name: red, contents: [said] })]),
    })
    expect((await vatom('apply', 'it.plan')).out).toContain(`Deleted ${narrow} on`)
  })

  test('trashed and redeemed vAtoms are counted, too', async () => {
    const desk = await publisher({ transport })
    const { vatom, json, file } = desk
    file('catalog/vatom.yaml', 'catalog: shop\n')
    file(
      'catalog/coupon.yaml',
      template().replace('    title: Coupon', '    title: Coupon\n    redeemable: true\n    commerce: {}'),
    )
    file('catalog/redeem.yaml', action('Redeem', 'wait: true\n'))
    file('catalog/red.yaml', variation())
    await json('apply', 'catalog', '--yes')
    const emitted = await json('emit', red, '--num', '3')
    await json('act', 'Redeem', String(at(emitted, 'ids', 0)), '--yes')
    await json('trash', String(at(emitted, 'ids', 1)), '--yes')
    const said = '1 vAtom and 2 more that are trashed or redeemed'
    expect((await vatom('variation', 'delete', red, '--dry-run')).out).toContain(`variation ${red} with ${said} on`)
    expect((await vatom('template', 'delete', coupon)).err).toContain(
      `Delete template ${coupon} with its faces and actions, 1 variation, ${said}?`,
    )
    await json('trash', String(at(emitted, 'ids', 2)), '--yes')
    rmSync(join(desk.home, 'catalog/red.yaml'))
    expect((await vatom('plan', 'catalog', '--prune')).out).toContain(
      `  - variation ${red} with 3 trashed or redeemed vAtoms\n`,
    )
  })

  test('a saved plan deletes none of which others own more since', async () => {
    const { json, vatom, first } = await sent(2, 0)
    await vatom('plan', 'catalog', '--prune', '--out', 'it.plan')
    await json('act', 'Transfer', first, '-d', 'new.owner.email=ann@example.com')
    const message = expect.stringContaining(
      `variation ${red} had 2 vAtoms, and now has 2 vAtoms (1 of somebody else)\n`,
    )
    expect(await vatom('apply', 'it.plan')).toMatchObject({ code: 1, err: message })
    expect(await json('variation', 'list')).toHaveLength(1)
  })

  test('what is emitted as their draft is deleted stays, and apply says how many there were', async () => {
    const { json, service, run, vatom } = await sent(3, 1)
    const fate = async ({ method, headers }: IncomingMessage) => {
      if (method === 'DELETE' && headers['vatom-dry-run'] === undefined) await json('emit', red, '--num', '1')
      return 'answered' as const
    }
    const { env } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
    const { code, out, err } = await run(['apply', 'catalog', '--prune', '--yes'], { env })
    expect({ code, out }).toEqual({ code: 1, out: expect.not.stringContaining('Deleted') })
    expect(err).toContain(
      `variation ${red} had 3 vAtoms when this run made its plan, and has 4 vAtoms now; the service says: `,
    )
    expect((await vatom('variation', 'delete', red)).err).toContain('4 vAtoms (1 of somebody else)')
  })

  test('where the service does not count them, it is said that they may be anybody’s', async () => {
    const { service, run } = await sent(2, 1)
    const { env } = await lossy(service, ({ url = '' }) => (url.includes('/discover') ? { status: 403 } : 'answered'))
    const { err } = await run(['variation', 'delete', red], { env })
    expect(err).toContain(`Delete variation ${red} with 2 vAtoms (whoever owns them)?`)
  })
})

test('what came to be while the question stood is not deleted unasked', async () => {
  const desk = await publisher({ transport: 'network' })
  const { file, json, service } = desk
  file('coupon.yaml', template())
  file('red.yaml', variation())
  await json('template', 'create', 'coupon.yaml')
  await json('variation', 'create', 'red.yaml')
  const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
  const body = JSON.stringify({ template_variation: red, num: 2 })
  const emit = () => service.inject({ method: 'POST', path: '/v1/vatoms', headers, body })
  let reads = 0
  const { env } = await lossy(service, async ({ method, url = '' }) => {
    if (method === 'GET' && url.includes('/v1/template_variations/') && ++reads === 2) await emit()
    return 'answered' as const
  })
  const asked = { env, tty: true, columns: 200, answers: { 'Delete variation': 'y' } }
  expect(await desk.run(['variation', 'delete', red], asked)).toMatchObject({
    code: 1,
    err: expect.stringContaining('what goes with it has changed since the question'),
  })
  expect(await json('variation', 'list')).toHaveLength(1)
})

test.each([
  ['variation', red],
  ['template', coupon],
])('what is emitted as the request to delete its %s is on its way is not deleted unasked', async (kind, name) => {
  const desk = await publisher({ transport: 'network' })
  const { file, json, service } = desk
  file('all/coupon.yaml', template())
  file('all/red.yaml', variation())
  await json('apply', 'all', '--yes')
  let isEmitted = false
  const fate = async ({ method, headers }: IncomingMessage) => {
    const isNow = method === 'DELETE' && headers['vatom-dry-run'] === undefined && !isEmitted
    if (isNow) await json('emit', red, '--num', '2')
    isEmitted ||= isNow
    return 'answered' as const
  }
  const { env } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
  const asked = { env, tty: true, columns: 200, answers: { [`Delete ${kind}`]: 'y' } }
  const { code, out, err } = await desk.run([kind, 'delete', name], asked)
  expect({ code, out }).toEqual({ code: 1, out: expect.not.stringContaining('Deleted') })
  expect(err).toContain(
    `${kind} ${name} has 2 vAtoms, trashed and redeemed ones included, and at most 0 may be deleted`,
  )
  expect(err).toContain('run the command again: its question names what there is now')
  expect(await json('discover', '--mine', '--count')).toMatchObject({ count: 2 })
})

test.each([
  ['vatom’s', ['vatom-dry-run'], '?vatoms=0'],
  ['another', [], ''],
])('the service is asked to delete no more than was asked about, if it is %s one', async (_, passed, query) => {
  const desk = await publisher({ transport: 'network' })
  desk.file('all/coupon.yaml', template())
  desk.file('all/red.yaml', variation())
  await desk.json('apply', 'all', '--yes')
  const deletions: string[] = []
  const fate = ({ method, url = '', headers }: IncomingMessage) => {
    if (method === 'DELETE' && headers['vatom-dry-run'] === undefined) deletions.push(decodeURIComponent(url))
    return 'answered' as const
  }
  const { env } = await lossy(desk.service, fate, () => {}, passed)
  const asked = { env, tty: true, columns: 200, answers: { 'Delete variation': 'y' } }
  expect(await desk.run(['variation', 'delete', red], asked)).toMatchObject({ code: 0 })
  expect(await desk.run(['template', 'delete', coupon, '--yes'], { env })).toMatchObject({ code: 0 })
  expect(deletions).toEqual([`/v1/template_variations/${red}${query}`, `/v1/templates/${coupon}`])
})

test('apply says how many vAtoms it may delete to no service that stores no labels', async () => {
  const desk = await publisher({ transport: 'network' })
  desk.file('all/vatom.yaml', 'catalog: shop\n')
  desk.file('all/coupon.yaml', template())
  desk.file('all/red.yaml', variation())
  const deletions: string[] = []
  const fate = ({ method, url = '' }: IncomingMessage) => {
    if (method === 'DELETE') deletions.push(decodeURIComponent(url))
    return 'answered' as const
  }
  const { env } = await lossy(desk.service, fate)
  expect(await desk.run(['apply', 'all', '--yes'], { env })).toMatchObject({ code: 0 })
  rmSync(join(desk.home, 'all/red.yaml'))
  expect(await desk.run(['apply', 'all', '--prune', '--yes'], { env })).toMatchObject({ code: 0 })
  expect(deletions).toEqual([`/v1/template_variations/${red}`])
})
