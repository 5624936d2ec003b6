import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogDesk, published, rowsOf } from '../../../fixtures/catalog.ts'
import { coupon, face, red, template } from '../../../fixtures/yaml.ts'
import { type Fate, lossy } from '../../../support/lossy.ts'

const transfer = `${coupon}::Action::Transfer`
const page = { instead: '<html>Sign in</html>' }
const checkFirst = 'the service may have done what was sent: check before you send it again'

/**
 * A catalog of which everything is published, on a way where the first writes that match have a fate, and all that is
 * sent after them has another. The service can be gone then.
 */
async function losing(writes: RegExp, fate: Fate, then: Fate | 'refused', before = false) {
  const desk = await catalogDesk()
  if (before) await desk.applied()
  desk.file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: green'))
  if (before) desk.remove('2-action')
  let isLost = false
  let isOver = false
  const { env, server } = await lossy(desk.service, ({ method, url }) => {
    if (isOver) return 'answered'
    if (isLost && then !== 'refused') return then
    isLost ||= writes.test(`${method} ${decodeURIComponent(url ?? '')}`)
    if (isLost && then === 'refused') server.close()
    return isLost ? fate : 'answered'
  })
  const words = ['apply', 'catalog', '--yes', '--publish', '--prune-unowned', '--json', '--junit', 'report.xml']
  const { code, out, err } = await desk.run(words, { env, slept: [] })
  const { results, error } = JSON.parse(out)
  const report = readFileSync(join(desk.home, 'report.xml'), 'utf8')
  /** The same on the way as it was before. */
  const again = async () => {
    isOver = true
    return desk.run(words, { env, slept: [] })
  }
  return { code, results, error, err, report, again }
}

const rowOf = (results: readonly Record<string, unknown>[], name: string) => results.find((row) => row.name === name)

const publishing = /^PATCH \/v1\/templates\//
const endings: readonly (Fate | 'refused')[] = [
  'refused',
  'lost',
  ...[401, 403, 404, 429, 500, 503].map((status) => ({ status })),
  page,
  { instead: '{}' },
]

describe('a write whose answer is lost may be done, however the tries after it end', () => {
  test.each(endings)('publishing, and then %j', async (then) => {
    const { results, err, error, report } = await losing(publishing, 'unanswered', then)
    expect(rowOf(results, coupon)).toMatchObject({
      status: 'failed',
      may_be_done: true,
      written: 'created',
      message: expect.stringMatching(/^Created template .*; may be published: /),
    })
    expect(err).toContain('1 with unknown outcome')
    expect(err.split(checkFirst)).toHaveLength(2)
    expect(error).toMatchObject({ message: expect.stringContaining('may have been done'), may_be_done: true })
    expect(error.hint).toContain(checkFirst)
    expect(report).toContain(`hint: ${checkFirst}`)
  })

  test.each([
    ['creating', /^POST \/v1\/templates/, coupon, false],
    ['updating', publishing, coupon, true],
    ['deleting', /^DELETE/, transfer, true],
  ])('%s, and then nothing listens', async (_, writes, name, before) => {
    const { results, err } = await losing(writes, 'unanswered', 'refused', before)
    expect(rowOf(results, name)).toMatchObject({ status: 'failed', may_be_done: true })
    expect(err).toContain(checkFirst)
  })

  test('the next run says that its outcome is unknown', async () => {
    const { again } = await losing(publishing, 'unanswered', { status: 403 })
    expect(await again()).toMatchObject({ code: 0, err: expect.stringContaining('the outcome of 1 of its 5 writes') })
  })

  test('nothing was done where no write was sent', async () => {
    const { results } = await losing(/^POST \/v1\/templates/, { status: 403 }, 'refused')
    expect(rowOf(results, coupon)).not.toHaveProperty('may_be_done')
  })
})

test('a write whose answer is lost is tried again on a saved context of this machine, too', async () => {
  const desk = await catalogDesk()
  let lost = 0
  const { env } = await lossy(desk.service, ({ url }) =>
    url === '/v1/templates' && lost++ === 0 ? 'unanswered' : 'answered',
  )
  const words = ['login', '--base-url', env.VATOM_BASE_URL, '--app-id', env.VATOM_APP_ID]
  await desk.run([...words, '--email', 'publisher@local.vatom', '--password-stdin'], { stdin: 'vatom-local\n' })
  expect(await desk.run(['apply', 'catalog', '--yes'], { slept: [] })).toMatchObject({ code: 0 })
})

describe('a service that starts again in the middle', () => {
  /** Applies a catalog to a service that stops listening with the first write, which has a fate, for three waits. */
  async function restarted(fate: Fate) {
    const desk = await catalogDesk()
    let isOver = false
    const { env, server, port } = await lossy(desk.service, async ({ method }) => {
      if (method !== 'POST' || isOver) return 'answered'
      isOver = true
      server.close()
      return fate
    })
    let waits = 0
    const slept = Object.assign([] as number[], {
      push: () => {
        if (++waits === 3) server.listen(port, '127.0.0.1')
        return waits
      },
    })
    const ran = await desk.run(['apply', 'catalog', '--yes'], { env, slept })
    return { ...ran, port, created: await desk.json('template', 'list') }
  }

  test.each(['lost', 'unanswered'] as const)('is waited for, after a write that was %s', async (fate) => {
    const { code, err, port, created } = await restarted(fate)
    expect({ code, created }).toMatchObject({ code: 0, created: [{ name: coupon }] })
    expect(err.match(/127\.0\.0\.1:\d+ accepts no connections any more: waiting for it to start again/g)).toEqual([
      `127.0.0.1:${port} accepts no connections any more: waiting for it to start again`,
    ])
  })
})

describe('a service that starts again behind a gateway', () => {
  /** Applies a catalog through a gateway that answers for its service for some requests after the first write. */
  async function answeredFor(status: number, headers = {}, most = 8) {
    const desk = await catalogDesk()
    let isOver = false
    let answered = 0
    const { env, port } = await lossy(desk.service, ({ method }) => {
      isOver ||= method === 'POST'
      return isOver && answered++ < most ? { status, headers, page: '<h1>Bad Gateway</h1>' } : 'answered'
    })
    const ran = await desk.run(['apply', 'catalog', '--yes'], { env, slept: [] })
    return { ...ran, port, answered, created: await desk.json('template', 'list') }
  }

  test.each([
    [502, {}],
    [503, {}],
    [503, { 'retry-after': '1' }],
    [504, {}],
  ])('is waited for while %i %j is answered', async (status, headers) => {
    const { code, err, port, created } = await answeredFor(status, headers)
    expect({ code, created }).toMatchObject({ code: 0, created: [{ name: coupon }] })
    expect(err.match(/127\.0\.0\.1:\d+ takes .*: waiting for it to start again/g)).toEqual([
      `127.0.0.1:${port} takes no requests any more (${status}): waiting for it to start again`,
    ])
  })

  test('is given up after some ten seconds, and what was sent is counted', async () => {
    const { code, err, answered } = await answeredFor(502, {}, Number.POSITIVE_INFINITY)
    expect(code).not.toBe(0)
    expect(err).toMatch(/502, and no answer of a vAtom service.* \(sent 1\d times within /)
    expect(answered).toBeLessThan(30)
  })
})

/** Applies a catalog through a gateway that refuses each write some times, and says when to send it again. */
async function paced(times: number, seconds: string, answer: { readonly page?: string } = {}) {
  const desk = await catalogDesk()
  let isOver = false
  const refused = new Map<string, number>()
  const { env } = await lossy(desk.service, ({ method, url = '' }) => {
    const count = refused.get(url) ?? 0
    if (isOver || method === 'GET' || count === times) return 'answered'
    refused.set(url, count + 1)
    return { status: 429, error: 429, headers: { 'retry-after': seconds }, ...answer }
  })
  const slept: number[] = []
  const words = ['apply', 'catalog', '--yes']
  const ran = await desk.run(words, { env, slept })
  /** The same once the gateway lets everything through. */
  const again = () => {
    isOver = true
    return desk.run(words, { env, slept: [] })
  }
  return { ...ran, slept, refused, again }
}

describe('a gateway that bounds the number of requests', () => {
  test('is waited for as long as it asks, more often than one that fails', async () => {
    const { code, slept, refused } = await paced(6, '2')
    expect({ code, refused: [...refused.values()] }).toEqual({ code: 0, refused: [6, 6, 6, 6] })
    expect(Math.min(...slept)).toBeGreaterThanOrEqual(2000)
  })

  test('is not waited for without end', async () => {
    const { code, err, slept } = await paced(1000, '2')
    expect({ code, err }).toEqual({ code: 5, err: expect.stringMatching(/sent \d\d times/) })
    expect(slept.reduce((sum, wait) => sum + wait)).toBeGreaterThan(50_000)
  })

  test.each([
    ['JSON', '2', {}],
    ['a page', '2', { page: '<h1>Too many requests</h1>' }],
    ['JSON, and asks for a long wait', '3600', {}],
  ])('has refused what it did not let through in time, as nothing of it was done: %s', async (_, seconds, answer) => {
    const { code, err, again } = await paced(1000, seconds, answer)
    expect({ code, err }).toEqual({ code: 5, err: expect.not.stringMatching(/unknown|may have done/) })
    expect(err).toContain('1 failed')
    expect(await again()).toMatchObject({ code: 0, err: expect.not.stringContaining('unknown') })
  })

  test('is not waited for where it asks for longer than that', async () => {
    const { slept, err } = await paced(1000, '3600')
    expect(err).toContain('the service asks to wait: try again in 3600 s')
    expect(Math.max(...slept)).toBeLessThan(10_000)
  })
})

const notOurs = [page, { instead: '{"payload": [1,' }, { instead: '' }, { instead: '{}' }]

describe('an answer that is not one of the service', () => {
  const writing = (desk: Awaited<ReturnType<typeof catalogDesk>>, fate: Fate, isRead: boolean) =>
    lossy(desk.service, ({ method }) => (method === 'GET' && isRead ? 'answered' : fate))

  test.each(notOurs)('%j to what was done: apply finds that it is done', async (fate) => {
    const desk = await catalogDesk()
    desk.file('catalog/4-coupon.yaml', published(template()))
    const { env } = await writing(desk, fate, true)
    const { code, err } = await desk.run(['apply', 'catalog', '--yes', '--publish'], { env, slept: [] })
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(await desk.json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  })

  test.each(notOurs)('%j to a command for documents: it may be done', async (fate) => {
    const desk = await catalogDesk()
    const { env } = await writing(desk, fate, true)
    const { code, out, err } = await desk.run(['template', 'create', 'catalog/4-coupon.yaml', '--json'], { env })
    const { results, error } = JSON.parse(out)
    expect({ code, results }).toMatchObject({ code: 1, results: [{ status: 'failed', may_be_done: true }] })
    expect(error).toMatchObject({ may_be_done: true, hint: expect.stringContaining(checkFirst) })
    expect(err).toContain(`hint: ${checkFirst}`)
  })

  test('to a deletion or an upload: it may be done', async () => {
    const desk = await catalogDesk()
    await desk.applied()
    desk.file('card.png', '\u0089PNG')
    const { env } = await writing(desk, page, true)
    for (const words of [
      ['variation', 'delete', red, '--yes'],
      ['asset', 'upload', 'card.png'],
    ]) {
      const { code, out } = await desk.run([...words, '--json'], { env })
      expect({ words, code, ...JSON.parse(out) }).toMatchObject({ code: 1, error: { may_be_done: true } })
    }
  })
})

test('one that is refused on the way is named with its file, and a service that is away is not', async () => {
  const desk = await catalogDesk()
  const failing = async (fate: Fate | 'refused') => {
    const { env, server } = await lossy(desk.service, ({ method }) => {
      if (method === 'GET' || fate === 'refused') return 'answered'
      return fate
    })
    if (fate === 'refused') server.close()
    return await desk.run(['apply', 'catalog', '--yes'], { env, slept: [] })
  }
  expect(await failing({ status: 413 })).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /1 refused, \d+ not sent\nerror: catalog\/4-coupon\.yaml: (POST|PATCH) \/v1\/templates\S*: no\n/,
    ),
  })
  const others = ['apply', 'catalog', '--yes']
  expect(await desk.vatom(...others)).toMatchObject({ code: 0 })
  desk.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: green'))
  expect(await failing({ status: 413 })).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /1 refused, \d+ unchanged\nerror: catalog\/4-coupon\.yaml: (POST|PATCH) \/v1\/templates\S*: no\n/,
    ),
  })
  expect(await failing('refused')).toMatchObject({ code: 5, err: expect.stringMatching(/^error: No answer from /m) })
})

test('JSON has the hint of all failed writes, and of each the problem, as the other formats do', async () => {
  const desk = await catalogDesk()
  const { env } = await lossy(desk.service, ({ url = '' }) =>
    /^\/v1\/publisher\/(face|action)/.test(url) ? { status: 403 } : 'answered',
  )
  const { code, out, err } = await desk.run(['apply', 'catalog', '--yes', '--json'], { env, slept: [] })
  const { results, error } = JSON.parse(out)
  const failed = Object(results).filter(({ status }: { status: string }) => status === 'failed')
  const hint = expect.stringMatching(/something on the way refuses/)
  expect({ code, failed }).toMatchObject({
    code: 6,
    failed: [{ problems: [{ file: 'catalog/2-action.yaml', line: 1, rule: 'unauthorized', message: 'no', hint }] }, {}],
  })
  expect(error.hint).toMatch(/something on the way refuses.*; to do the rest: vatom apply/)
  expect(err).toContain(`hint: ${error.hint}\n`)
})

test.each([undefined, '<html>Too large</html>'])(
  'a document that is too large for something on the way holds up nothing but what needs it: %s',
  async (shown) => {
    const desk = await catalogDesk()
    const large = template()
      .replaceAll('Coupon', 'Large')
      .replace('color: blue', `color: ${'blue'.repeat(9000)}`)
    desk.file('catalog/0-large.yaml', large)
    desk.file('catalog/5-large-face.yaml', face().replaceAll('Coupon', 'Large'))
    const tooLarge = { status: 413, ...(shown !== undefined && { page: shown }) }
    const { env } = await lossy(desk.service, ({ headers }) =>
      Number(headers['content-length'] ?? 0) > 30_000 ? tooLarge : 'answered',
    )
    const { out, err } = await desk.run(['apply', 'catalog', '--yes', '--json'], { env, slept: [] })
    const { error } = JSON.parse(out)
    expect(rowsOf(JSON.parse(out), 'status')).toEqual([
      'refused template local.vatom::Large::v1',
      `created template ${coupon}`,
      `created variation ${red}`,
      `created action ${transfer}`,
      `created face ${coupon} icon, generic, high, native://image`,
      'not_sent face local.vatom::Large::v1 icon, generic, high, native://image',
    ])
    expect(err).toMatch(
      /^error: catalog\/0-large\.yaml: POST \/v1\/templates: (no|413 to a body of 36\d\d\d bytes, .*)$/m,
    )
    expect(error.hint).toMatch(/^something on the way, .* takes no request that large: .*; to do the rest/)
  },
)
