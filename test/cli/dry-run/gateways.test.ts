import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { rowOf } from '../../../src/client/raw.ts'
import { dryRunListPath } from '../../../src/contract/api/dry-run.ts'
import { isChange } from '../../../src/contract/api/endpoint.ts'
import type { WireRequest, WireResponse } from '../../../src/contract/api/wire.ts'
import { parseJson } from '../../../src/contract/unknown-values.ts'
import { coupon, face, red, template, variation } from '../../fixtures/yaml.ts'
import { facing, served, watchedDesk } from '../../support/desks.ts'
import { type Fate, lossy } from '../../support/lossy.ts'
import { publisher } from '../../support/vatom.ts'

const withoutDryRun = ({ headers: { 'vatom-dry-run': _, ...headers }, ...request }: WireRequest): WireRequest => ({
  ...request,
  headers,
})

const page = (status: number): WireResponse => ({ status, headers: {}, body: '<html>app</html>' })

/** What a gateway answers that lets through the paths of the API alone. */
const noLists = ({ path }: WireRequest) => (path === dryRunListPath ? page(200) : undefined)

/** What a gateway that checks requests answers to one that it refuses. */
const refused = (status: number): WireResponse => ({ status, headers: {}, body: '{"message":"Invalid request body"}' })

const isJson = (body: string | undefined) => body === undefined || parseJson(body) !== undefined

/** The way to a service on a port. */
const passing =
  (baseUrl: string) =>
  async ({ method, path, headers, body = '' }: WireRequest) => {
    const { host: _, connection: __, 'content-length': ___, ...sent } = headers
    const answer = await fetch(baseUrl + path, { method, headers: sent, ...(body !== '' && { body }) })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
  }

/**
 * A catalog that was applied and changed since; a gateway removes the header of dry runs from `dropped` requests, and answers
 * those itself that it has an answer `instead` for.
 */
async function behindGateway(
  dropped: (request: WireRequest) => boolean = () => true,
  instead: (request: WireRequest) => WireResponse | undefined = () => undefined,
) {
  const desk = await served()
  desk.file('shop/vatom.yaml', 'catalog: shop\n')
  desk.file('shop/coupon.yaml', template())
  desk.file('shop/red.yaml', variation())
  desk.file('shop/face.yaml', face())
  await desk.json('apply', 'shop', '--yes')
  desk.file('shop/coupon.yaml', template().replace('blue', 'green'))
  desk.file('shop/red.yaml', '# nothing\n')
  desk.file('shop/face.yaml', `${face()}---\n${face(undefined, 'card')}`)
  const { service, baseUrl } = desk
  const made: string[] = []
  const pass = passing(baseUrl)
  const inject = async (request: WireRequest) => {
    const own = instead(request)
    if (own) return own
    const answer = await pass(dropped(request) ? withoutDryRun(request) : request)
    const row = rowOf(request)
    const isMade = answer.status === 200 && answer.headers['vatom-dry-run'] !== 'true'
    if (row && isChange(row) && isMade) made.push(`${request.method} ${request.path}`)
    return answer
  }
  const { env } = await lossy({ ...service, inject }, () => 'answered', undefined, ['vatom-dry-run'])
  return { ...desk, env, made }
}

test('a service that has too many requests for good is told after the first read, with the time that took', async () => {
  const asked: string[] = []
  const { run, env, made } = await behindGateway(
    () => false,
    ({ method, path }) => {
      if (method !== 'GET') return undefined
      asked.push(path.replace(/\?.*/, ''))
      const headers = { 'vatom-dry-run': 'supported', 'retry-after': '1' }
      return { status: 429, headers, body: '{"error":9008,"message":"Too many requests","request_id":"r"}' }
    },
  )
  const { code, err } = await run(['plan', 'shop'], { env })
  expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining(`(sent ${asked.length} times within `) })
  expect(new Set(asked).size).toBe(1)
  expect(made).toEqual([])
})

describe('where the header of dry runs is removed on the way', () => {
  test.each([
    [['plan', 'shop'], 'the service does not check the plan'],
    [['plan', 'shop', '--prune'], 'the service does not check the plan'],
    [['apply', 'shop', '--prune', '--dry-run'], 'the service does not check the plan'],
    [['variation', 'delete', red, '--dry-run'], 'requests are only shown'],
    [['template', 'delete', coupon, '--dry-run'], 'requests are only shown'],
    [['template', 'update', 'shop/coupon.yaml', '--dry-run'], 'requests are only shown'],
    [['face', 'register', 'shop/face.yaml', '--dry-run'], 'requests are only shown'],
    [['emit', red, '--num', '2', '--dry-run'], 'requests are only shown'],
    [['profile', 'set', '--first-name', 'Eve', '--dry-run'], 'requests are only shown'],
    [['user', 'reset-password', 'bob@example.com', '--dry-run'], 'requests are only shown'],
    [['api', 'DELETE', `v1/template_variations/${red}`, '--dry-run'], 'requests are only shown'],
  ])('%j writes nothing, and says so', async (words, says) => {
    const { run, env, made } = await behindGateway()
    const { code, err } = await run(words, { env })
    expect({ code, err, made }).toEqual({ code: 0, err: expect.stringContaining(says), made: [] })
    expect(err).toMatch(
      /dry runs do not reach \S+: something on the way, such as a gateway, removes the header Vatom-Dry-Run:/,
    )
  })

  test('a refused deletion is asked about, and nothing is deleted before the answer', async () => {
    const { run, env, made } = await behindGateway()
    const { code } = await run(['variation', 'delete', red], { env, tty: true, answers: { Delete: 'n' } })
    expect(code).not.toBe(0)
    expect(made).toEqual([])
  })

  test('the labels on the service still say what a catalog owns', async () => {
    const { run, env } = await behindGateway()
    const { out } = await run(['plan', 'shop', '--prune'], { env: { ...env, VATOM_DATA_DIR: 'fresh' } })
    expect(out).toContain(`- variation ${red}`)
  })
})

test('a plan that the service does not check says so in every form, and a catalog whose owners it does not store', async () => {
  const { service, run, file } = await watchedDesk('network')
  file('shop/vatom.yaml', 'catalog: shop\n')
  file('shop/coupon.yaml', template())
  // Nothing of dry runs arrives, in either direction.
  const inject = (request: WireRequest) => service.inject(withoutDryRun(request))
  const { env } = await lossy({ ...service, inject }, () => 'answered')
  const plan = (...words: string[]) => run(['plan', ...words], { env })
  const unchecked = /does not support dry runs: the service does not check the plan$/m
  const owners = 'the service does not store which catalog owns what: only this machine records it'
  const data = { unchecked: expect.stringContaining('does not support dry runs'), owned_here: true }
  const json = await plan('shop', '--json', '--out', 'shop.plan')
  expect(JSON.parse(json.out)).toMatchObject(data)
  expect(json.err).toMatch(unchecked)
  const markdown = await plan('shop', '--format', 'markdown')
  expect(markdown.out).toMatch(unchecked)
  expect(markdown.out).toContain(`\n${owners}\n`)
  const shown = await plan('show', 'shop.plan')
  expect(shown.err).toMatch(unchecked)
  expect(shown.err).toContain(owners)
  expect(JSON.parse((await plan('show', 'shop.plan', '--json')).out)).toMatchObject(data)
  const applied = await run(['apply', 'shop.plan'], { env })
  expect(applied).toMatchObject({ code: 0, err: expect.stringMatching(unchecked) })
  const again = JSON.parse((await plan('shop', '--json')).out)
  expect(again).toMatchObject({ owned_here: true })
  expect(again).not.toHaveProperty('unchecked')
  const checked = await run(['plan', 'shop', '--json'])
  expect(JSON.parse(checked.out)).not.toHaveProperty('owned_here')
  expect(checked.err).not.toContain('does not')
})

test('what the service has and does not list is refused, without the advice for who creates it', async () => {
  const desk = await watchedDesk('network')
  desk.file('shop/coupon.yaml', template())
  desk.file('shop/face.yaml', face())
  await desk.json('apply', 'shop', '--yes')
  const { service } = desk
  const inject = async (request: WireRequest) => {
    const answer = await service.inject(request)
    const isList = request.method === 'GET' && request.path.startsWith('/v1/publisher/face')
    return isList ? { ...answer, body: '{"payload": []}' } : answer
  }
  const { env } = await lossy({ ...service, inject }, () => 'answered', undefined, ['vatom-dry-run'])
  const { code, out, err } = await desk.run(['plan', 'shop'], { env })
  expect(code).toBe(1)
  expect(out + err).toContain('it is on the service, which did not list it: plan again')
  expect(out + err).not.toContain('choose another name')
})

describe('where only reads arrive with the header of dry runs', () => {
  const ofChanges = ({ method }: WireRequest) => method !== 'GET'
  const commands = [
    [['plan', 'shop', '--prune']],
    [['apply', 'shop', '--dry-run']],
    [['variation', 'delete', red, '--dry-run']],
    [['emit', red, '--num', '2', '--dry-run']],
    [['template', 'delete', coupon, red, '--dry-run']],
    [['face', 'register', 'shop/face.yaml', '--dry-run']],
    [['profile', 'set', '--first-name', 'Eve', '--dry-run']],
  ] as const
  /** Of what is counted, and what has neither a body nor a name in its path. */
  const bare = [
    [['user', 'reset-password', 'bob@example.com', '--dry-run']],
    [['api', 'POST', 'v1/user/guest', '--dry-run']],
    [['api', 'POST', 'v1/user/logout', '--dry-run']],
    [['api', 'DELETE', 'v1/user', '--dry-run']],
  ] as const

  test.each(commands)('%j is checked all the same, and nothing is written', async (words) => {
    const { run, env, made } = await behindGateway(ofChanges)
    const answered = await run(words, { env })
    const directly = await run(words)
    expect(made).toEqual([])
    expect(answered.err).not.toContain('Vatom-Dry-Run')
    expect({ code: answered.code, out: answered.out.replaceAll(env.VATOM_BASE_URL, 'local') }).toEqual({
      code: directly.code,
      out: directly.out,
    })
  })

  test.each([...commands, ...bare])(
    '%j is only shown where lists do not arrive either, and nothing is written',
    async (words) => {
      const { run, env, made } = await behindGateway(ofChanges, noLists)
      const { code, err } = await run(words, { env })
      expect({ code, made }).toEqual({ code: 0, made: [] })
      expect(err).toMatch(
        /not all dry runs reach \S+, which predicted 0 \w+: something on the way, such as a gateway, removes the header Vatom-Dry-Run from some methods or paths/,
      )
    },
  )
})

describe('where the header of dry runs arrives, and lists do not', () => {
  test.each([
    [['api', 'POST', 'v1/user/guest', '--dry-run', '--json']],
    [['api', 'POST', 'v1/user/logout', '--dry-run', '--json']],
    [['api', 'DELETE', 'v1/user', '--dry-run', '--json']],
  ])('%j, which has neither a body nor a name, is predicted', async (words) => {
    const { run, env, made } = await behindGateway(() => false, noLists)
    const { code, out, err } = await run(words, { env })
    expect(JSON.parse(out)).toHaveProperty(code === 0 ? 'answer' : 'error')
    expect(err).not.toMatch(/cannot be predicted|not all dry runs/)
    expect(made).toEqual([])
  })

  const update = ['template', 'update', 'shop/coupon.yaml', '--dry-run']

  test('a gateway that refuses what is no JSON is not in the way', async () => {
    const { run, env } = await behindGateway(
      () => false,
      (request) => noLists(request) ?? (isJson(request.body) ? undefined : refused(400)),
    )
    const { code, err } = await run(update, { env })
    expect(code).toBe(0)
    expect(err).not.toContain('Vatom-Dry-Run')
  })

  test.each([
    [refused(400), 1],
    [page(400), 1],
    [page(404), 1],
    [refused(403), 4],
    [page(403), 1],
    [page(200), 1],
  ] as const)(
    'where a gateway answers what would say whether a change arrives, its header is not said to be removed: %j',
    async (answer, exitCode) => {
      const { run, env, made } = await behindGateway(
        () => false,
        (request) => noLists(request) ?? (request.method === 'PATCH' ? answer : undefined),
      )
      const { code, out, err } = await run(update, { env })
      expect({ code, made }).toEqual({ code: exitCode, made: [] })
      expect(out + err).not.toMatch(/removes the header|removed on the way|Would/)
    },
  )
})

test('a dry run of what is counted by address is one call', async () => {
  const { service, run } = await publisher({ service: { callsPerMinute: 1 } })
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const env = { VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId }
  const words = ['user', 'reset-password', 'publisher@local.vatom', '--dry-run']
  const { code, err } = await run(words, { env })
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/\b429\b|Vatom-Dry-Run/) })
  const headers = { 'app-id': service.appId }
  const body = '{"token":"publisher@local.vatom","token_type":"email"}'
  const answer = await fetch(`${baseUrl}/v1/user/reset_token`, { method: 'POST', headers, body })
  expect(answer.status).toBe(429)
})

test('a service that says in every answer that it offers dry runs is sent none', async () => {
  const asked: string[] = []
  const { run, env } = await facing(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.setHeader('vatom-dry-run', 'offered, lists').setHeader('content-type', 'application/json')
    response.end('{"payload":{}}')
  })
  const { code, err } = await run(['emit', red, '--num', '2', '--dry-run'], { env })
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('does not support dry runs') })
  expect(asked.filter((request) => !request.startsWith('GET'))).toEqual([])
})

test('only the reads up to the first answer have the header', async () => {
  const headers: unknown[] = []
  const { service, run } = await watchedDesk('network')
  const inject = (request: WireRequest) => {
    headers.push(request.headers['vatom-dry-run'])
    return service.inject(request)
  }
  const { env } = await lossy({ ...service, inject }, () => 'answered', undefined, ['vatom-dry-run'])
  expect(await run(['profile', 'get'], { env })).toMatchObject({ code: 0 })
  expect(headers[0]).toBe('true')
  expect(await run(['api', 'GET', 'v1/user'], { env })).toMatchObject({ code: 0 })
  expect(headers.at(-1)).toBeUndefined()
})

/** A catalog of ten templates, and the way to a service on a port on which answers to lists of changes get lost. */
async function onLossyWay(listFate: (list: number) => Fate, changeFate: Fate = 'answered') {
  const desk = await served()
  for (let number = 0; number < 10; number++) {
    const name = `local.vatom::Tea${number}::v1`
    desk.file(`shop/${number}.yaml`, template(name))
    desk.file(`shop/${number}.variation.yaml`, variation(`${name}::First`, name))
    desk.file(`shop/${number}.faces.yaml`, face(name))
  }
  let lists = 0
  const inject = passing(desk.baseUrl)
  const fate = ({ url, method, headers }: IncomingMessage) => {
    if (url === '/__vatom/dry-run') return listFate(lists++)
    return method !== 'GET' && String(headers['vatom-dry-run']).includes('/') ? changeFate : 'answered'
  }
  const { env } = await lossy({ ...desk.service, inject }, fate, undefined, ['vatom-dry-run'])
  return { ...desk, env, lists: () => lists }
}

test('a list of changes whose answer got lost is asked for again, and nothing is refused for want of it', async () => {
  const { run, env, lists } = await onLossyWay((list) => (list === 0 ? 'unanswered' : 'answered'))
  const { code, out } = await run(['plan', 'shop', '--json'], { env })
  expect({ code, summary: JSON.parse(out).summary }).toMatchObject({ code: 0, summary: { create: 30, refuse: 0 } })
  expect(lists()).toBeGreaterThan(1)
})

test.each([{ instead: '<html>app</html>' }, { status: 200, page: '<html>app</html>' }, 'lost'] as const)(
  'where a gateway lets through the paths of the API alone, changes are asked for one by one: lists %j',
  async (fate) => {
    const { run, env } = await onLossyWay(() => fate)
    const { code, out } = await run(['plan', 'shop', '--json'], { env })
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, summary: { create: 30, refuse: 0 } })
    expect(JSON.parse(out)).not.toHaveProperty('unchecked')
  },
)

test('a plan that no answer checks says so, and that no template is missing', async () => {
  const { run, env } = await onLossyWay(() => 'unanswered', 'unanswered')
  for (const words of [
    ['plan', 'shop'],
    ['apply', 'shop', '--yes'],
  ]) {
    const { code, out, err } = await run(words, { env })
    expect({ words, code }).toEqual({ words, code: 5 })
    expect(err).toContain('The service could not check the plan: ')
    expect(out + err).not.toMatch(/refused|no template is named/)
  }
})

test.each(['unanswered', { status: 503 }] as const)(
  'a change alone is asked for again, too, after %j',
  async (fate) => {
    const { service, run, file } = await watchedDesk('network')
    file('shop/coupon.yaml', template())
    let asked = 0
    const isDry = ({ headers }: IncomingMessage) => String(headers['vatom-dry-run']).includes('/')
    const { env } = await lossy(
      service,
      (request) => (isDry(request) && asked++ === 0 ? fate : 'answered'),
      undefined,
      ['vatom-dry-run'],
    )
    expect(await run(['plan', 'shop'], { env })).toMatchObject({ code: 0 })
    expect(asked).toBe(2)
  },
)
