import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import { catalogDesk, published } from '../../../fixtures/catalog.ts'
import { coupon, face, red, template, variation } from '../../../fixtures/yaml.ts'
import { type Fate, lossy } from '../../../support/lossy.ts'
import { Capture } from '../../../support/streams.ts'

/** A desk whose catalog was applied; `meddling` is a way to its service on which somebody else does something once. */
async function desk() {
  const own = await catalogDesk()
  await own.applied()
  const meddling = (
    isMoment: (request: IncomingMessage) => boolean,
    meddle: () => Promise<unknown>,
    passed: readonly string[] = [],
  ) => {
    let isDone = false
    const fate = async (request: IncomingMessage): Promise<Fate> => {
      const isDry = request.method !== 'GET' && request.headers['vatom-dry-run'] !== undefined
      if (!isDone && !isDry && isMoment(request)) {
        isDone = true
        await meddle()
      }
      return 'answered'
    }
    return lossy(own.service, fate, () => {}, passed)
  }
  /** Applies a document of somebody else. */
  const change = (document: string) => {
    own.file('else.yaml', document)
    return own.vatom('apply', 'else.yaml', '--yes')
  }
  return { ...own, meddling, change }
}

const green = (document: string) => document.replace(/color: (blue|red)/, 'color: green')
/** Not the batch of a dry run. */
const writes = ({ method, url = '' }: IncomingMessage) => method !== 'GET' && !url.startsWith('/__vatom/')

const chain = 'eth:\n  network: testnet\n  fields:\n    a: { type: uint, value: 1 }\n'

test.each([
  ['its content', '', []],
  ['a section for a chain, where the service is known to take null', chain, ['vatom-dry-run']],
])(
  'what was reviewed of a template becomes final, although somebody changes the draft meanwhile: %s',
  async (_, more, passed) => {
    const { json, run, file, meddling, change } = await desk()
    file('catalog/4-coupon.yaml', published(template()))
    const { env } = await meddling(writes, () => change(green(template(undefined, more))), passed)
    expect(await run(['plan', 'catalog', '--out', 'the.plan'], { env })).toMatchObject({ code: 0 })
    expect(await run(['apply', 'the.plan'], { env })).toMatchObject({ code: 0 })
    const record = await json('template', 'get', coupon)
    expect(record).toMatchObject({ properties: { unpublished: false, template: { private: { color: 'blue' } } } })
    expect(record).not.toHaveProperty('properties.eth')
  },
)

test('another service gets null only for what its record has when it is published', async () => {
  const own = await catalogDesk()
  await own.applied()
  own.file('catalog/3-red.yaml', variation(undefined, undefined, 'unpublished: false\n'))
  own.file('catalog/4-coupon.yaml', published(template()).replace('color: blue', 'color: pink'))
  own.file('else.yaml', green(template(undefined, chain)))
  const written: unknown[] = []
  let isChanged = false
  const fate = async ({ method = '', url = '' }: IncomingMessage): Promise<Fate> => {
    if (!isChanged && written.length > 0 && method === 'GET' && decodeURIComponent(url).endsWith(coupon)) {
      isChanged = true
      await own.vatom('apply', 'else.yaml', '--yes')
    }
    return 'answered'
  }
  const { env } = await lossy(own.service, fate, (_, { method }, body) => {
    if (method === 'PATCH') written.push(JSON.parse(body))
  })
  expect(await own.run(['apply', 'catalog', '--yes', '--publish'], { env })).toMatchObject({ code: 0 })
  expect(isChanged).toBe(true)
  expect(written).toHaveLength(4)
  expect(written.filter((body) => JSON.stringify(body).includes(':null'))).toEqual([
    expect.objectContaining({ unpublished: false, cloneable: false, eth: null }),
  ])
  expect(written).not.toContainEqual(expect.objectContaining({ eos: null }))
  const record = await own.json('template', 'get', coupon)
  expect(record).toMatchObject({ properties: { unpublished: false, template: { private: { color: 'pink' } } } })
  expect(record).not.toHaveProperty('properties.eth')
})

test('what becomes final of a variation is what was reviewed', async () => {
  const { json, run, meddling, change, ...own } = await desk()
  await json('template', 'publish', coupon, '--confirm', coupon)
  own.file('catalog/3-red.yaml', variation(undefined, undefined, 'unpublished: false\n'))
  own.file('catalog/4-coupon.yaml', published(template()))
  await change(variation())
  const { env } = await meddling(writes, () => change(green(variation())))
  expect(await run(['plan', 'catalog', '--out', 'the.plan'], { env })).toMatchObject({ code: 0 })
  expect(await run(['apply', 'the.plan'], { env })).toMatchObject({ code: 0 })
  expect(await json('variation', 'get', red)).toMatchObject({
    properties: { unpublished: false, overrides: { vatom: { private: { color: 'red' } } } },
  })
})

test('a record that another run changes before its turn is left as it is: exit 6, naming it', async () => {
  const { json, run, meddling, change, ...own } = await desk()
  own.file('catalog/3-red.yaml', variation().replace('color: red', 'color: pink'))
  own.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: pink'))
  const theirs = async () => {
    await change(green(variation()))
  }
  const { env } = await meddling(writes, theirs)
  expect(await run(['plan', 'catalog', '--out', 'the.plan'], { env })).toMatchObject({ code: 0 })
  const { code, out, err } = await run(['apply', 'the.plan', '--json'], { env })
  expect(code).toBe(6)
  expect(JSON.parse(out).results).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: red, status: 'refused' })]),
  )
  expect(err).toContain(`variation ${red} was changed by somebody else while this run applied its plan`)
  expect(err).toContain('plan again, and let one run at a time apply')
  expect(await json('variation', 'get', red)).toMatchObject({
    properties: { overrides: { vatom: { private: { color: 'green' } } } },
  })
})

test('of a draft that gets vAtoms before it is deleted, that is said: nobody changed it', async () => {
  const { json, run, meddling, remove, ...own } = await desk()
  own.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: pink'))
  remove('3-red')
  const { env } = await meddling(writes, () => json('emit', red, '--num', '2'))
  const { code, err } = await run(['apply', 'catalog', '--prune-unowned', '--prune', '--yes'], { env })
  expect({ code, err }).toEqual({
    code: 6,
    err: expect.stringContaining(`variation ${red} had no vAtoms when this run made its plan, and has 2 vAtoms now`),
  })
})

test.each([
  ['the.plan', 1, '1 trashed or redeemed vAtom', '2 vAtoms and 1 more that is trashed or redeemed'],
  ['catalog', 0, 'no vAtoms', '2 vAtoms'],
])(
  'vAtoms that are emitted until the moment their draft is deleted stay, and apply %s fails: %i were trashed before',
  async (what, trashed, had, has) => {
    const own = await catalogDesk()
    const { json, run, file, service, vatom, remove } = own
    file('catalog/vatom.yaml', 'catalog: own\n')
    await own.applied()
    for (let index = 0; index < trashed; index++)
      await json('trash', String(at(await json('emit', red), 'ids', 0)), '--yes')
    remove('3-red')
    let emission: unknown
    const fate = async ({ method, headers }: IncomingMessage): Promise<Fate> => {
      if (method === 'DELETE' && headers['vatom-dry-run'] === undefined)
        emission ??= (await vatom('emit', red, '--num', '2')).code
      return 'answered'
    }
    const { env } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
    const prune = ['--prune', '--yes']
    expect(await run(['plan', 'catalog', '--prune', '--out', 'the.plan'], { env })).toMatchObject({ code: 0 })
    const { code, out, err } = await run(['apply', what, ...(what === 'catalog' ? prune : [])], { env })
    expect({ code, emission }).toEqual({ code: 1, emission: 0 })
    expect(err).toContain(`variation ${red} had ${had} when this run made its plan, and has ${has} now; the service`)
    expect(err).toContain(' may be deleted\nhint: it was not deleted; plan again, and let one run at a time apply')
    expect(out + err).not.toContain('Deleted')
    expect(await json('discover', '--mine', '--count')).toMatchObject({ count: 2 })
    expect(await run(['apply', 'catalog', ...prune], { env })).toMatchObject({ code: 0 })
    expect(await json('discover', '--mine', '--count')).toMatchObject({ count: 0 })
  },
)

test.each(['the.plan', 'catalog'])(
  'what another catalog takes over until the moment it is deleted stays, and apply %s fails',
  async (what) => {
    const own = await catalogDesk()
    const { json, run, file, service, vatom, remove } = own
    file('catalog/vatom.yaml', 'catalog: own\n')
    await own.applied()
    await json('emit', red, '--num', '2')
    remove('3-red')
    file('far/other/vatom.yaml', 'catalog: other\n')
    file('far/other/red.yaml', variation())
    let taken: unknown
    const fate = async ({ method, headers }: IncomingMessage): Promise<Fate> => {
      if (method === 'DELETE' && headers['vatom-dry-run'] === undefined)
        taken ??= (await vatom('apply', 'far/other', '--take-over', '--yes')).code
      return 'answered'
    }
    const { env } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
    expect(await run(['plan', 'catalog', '--prune', '--out', 'the.plan'], { env })).toMatchObject({ code: 0 })
    const prune = what === 'catalog' ? ['--prune', '--yes'] : []
    const { code, out, err } = await run(['apply', what, ...prune], { env })
    expect({ code, taken }).toEqual({ code: 1, taken: 0 })
    expect(err).toContain(`variation ${red} belongs to the catalog other`)
    expect(out + err).not.toContain('Deleted')
    expect(await json('variation', 'get', red)).toMatchObject({ properties: { unpublished: true } })
    expect(await json('discover', '--mine', '--count')).toMatchObject({ count: 2 })
  },
)

test('what another catalog takes over until the moment it is changed stays as it is', async () => {
  const own = await catalogDesk()
  const { json, run, file, service, vatom } = own
  file('catalog/vatom.yaml', 'catalog: own\n')
  await own.applied()
  file('far/other/vatom.yaml', 'catalog: other\n')
  file('far/other/coupon.yaml', template())
  file('catalog/4-coupon.yaml', green(template()))
  const fate = async ({ method, url = '', headers }: IncomingMessage): Promise<Fate> => {
    const isWrite = method === 'PATCH' && url.startsWith('/v1/templates') && headers['vatom-dry-run'] === undefined
    if (isWrite) expect(await vatom('apply', 'far/other', '--take-over', '--yes')).toMatchObject({ code: 0 })
    return 'answered'
  }
  const { env } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
  const { code, err } = await run(['apply', 'catalog', '--yes'], { env })
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      `template ${coupon} belongs to the catalog other\nhint: it was left as it is; plan again`,
    ),
  })
  expect(await json('template', 'get', coupon)).toMatchObject({
    properties: { template: { private: { color: 'blue' } } },
  })
})

test('two runs of one catalog change a record that had no label, one after the other', async () => {
  const own = await catalogDesk()
  const { json, run, file, service, vatom } = own
  await own.applied()
  file('catalog/vatom.yaml', 'catalog: own\n')
  file('catalog/4-coupon.yaml', green(template()))
  let isFirst = true
  const fate = async ({ method, url = '', headers }: IncomingMessage): Promise<Fate> => {
    const isWrite = method === 'PATCH' && url.startsWith('/v1/templates') && headers['vatom-dry-run'] === undefined
    if (!isWrite || !isFirst) return 'answered'
    isFirst = false
    file('same/vatom.yaml', 'catalog: own\n')
    file('same/coupon.yaml', template())
    expect(await vatom('apply', 'same', '--yes')).toMatchObject({ code: 0 })
    return 'answered'
  }
  const { env } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
  expect(await run(['apply', 'catalog', '--yes'], { env })).toMatchObject({ code: 0 })
  expect(await json('template', 'get', coupon)).toMatchObject({
    properties: { template: { private: { color: 'green' } } },
  })
})

test('a face that another run changes before it is deleted stays', async () => {
  const { json, run, meddling, change, remove, ...own } = await desk()
  own.file('catalog/4-coupon.yaml', template().replace('color: blue', 'color: pink'))
  remove('1-face')
  const { env } = await meddling(writes, () => change(face().replace('gps: false', 'gps: true')))
  expect(await run(['plan', 'catalog', '--prune-unowned', '--out', 'the.plan'], { env })).toMatchObject({ code: 0 })
  expect(await run(['apply', 'the.plan'], { env })).toMatchObject({
    code: 6,
    err: expect.stringContaining('was changed by somebody else'),
  })
  expect(await json('face', 'list', coupon)).toHaveLength(1)
})

test('template publish refuses a draft that was changed after it was shown', async () => {
  const { json, run, meddling, change } = await desk()
  let reads = 0
  const { env } = await meddling(
    ({ method, url = '' }) => method === 'GET' && decodeURIComponent(url).endsWith(coupon) && reads++ === 1,
    () => change(green(template())),
  )
  const { code, err } = await run(['template', 'publish', coupon, '--confirm', coupon], { env })
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('was changed after you were shown it') })
  expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
})

test('a record that another run creates meanwhile, as the file has it, is not reported as created by this one', async () => {
  const { json, run, meddling, change, vatom } = await desk()
  await vatom('template', 'delete', coupon, '--yes')
  const { env } = await meddling(writes, () => change(template()))
  const { code, out } = await run(['apply', 'catalog', '--yes', '--json'], { env })
  expect(code).toBe(0)
  const { results } = JSON.parse(out)
  expect(results.map(({ kind, status }: Record<string, string>) => `${kind} ${status}`).sort()).toEqual([
    'action created',
    'face created',
    'template unchanged',
    'variation created',
  ])
  expect(results.find(({ kind }: Record<string, string>) => kind === 'template').message).toContain('another run')
  expect(await json('template', 'list')).toHaveLength(1)
})

test.each([
  ['before that is checked', true],
  ['just before', false],
])('what another run deletes %s counts as done', async (_, isChecked) => {
  const { json, vatom, run, remove, service } = await desk()
  remove('1-face')
  const [{ id }] = Object(await json('face', 'list', coupon))
  let isGone = true
  const fate = async (request: IncomingMessage): Promise<Fate> => {
    const isDry = request.headers['vatom-dry-run'] !== undefined
    if (!isGone && request.method === 'DELETE' && isDry === isChecked) {
      isGone = true
      expect(await vatom('face', 'delete', id, '--yes')).toMatchObject({ code: 0 })
    }
    return 'answered'
  }
  const { env } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
  const words = ['plan', 'catalog', '--prune-unowned', '--out', 'the.plan']
  expect(await run(words, { env })).toMatchObject({ code: 0, out: expect.stringContaining('1 to delete') })
  isGone = false
  const { code, out } = await run(['apply', 'the.plan', '--json'], { env })
  const name = `face ${coupon} icon, generic, high, native://image (${id})`
  expect({ code, deletion: JSON.parse(out).results.at(-1) }).toMatchObject({
    code: 0,
    deletion: { status: 'unchanged', message: `${name} is gone: another run deleted it meanwhile` },
  })
})

const statuses = (out: string): string[] =>
  JSON.parse(out)
    .results.map(({ kind, status }: Record<string, string>) => `${kind} ${status}`)
    .sort()

test.each([
  ['before it was changed', 'color: pink', ['template unchanged', 'variation updated']],
  ['unchanged as it was', 'color: blue', ['template unchanged', 'variation updated']],
])(
  'a template that another run publishes meanwhile, as the file has it, %s: no failure',
  async (_, color, expected) => {
    const { json, run, file, meddling } = await desk()
    const final = published(template()).replace('color: blue', color)
    file('catalog/3-red.yaml', variation().replace('color: red', 'color: pink'))
    file('catalog/4-coupon.yaml', final)
    const { env } = await meddling(writes, async () => {
      file('else.yaml', final)
      expect(await run(['apply', 'else.yaml', '--yes', '--publish'])).toMatchObject({ code: 0 })
    })
    const { code, out, err } = await run(['apply', 'catalog', '--yes', '--publish', '--json'], { env })
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('final; the document') })
    expect(statuses(out).filter((text) => /template|variation/.test(text))).toEqual(expected)
    expect(JSON.parse(out).results.find(({ kind }: Record<string, string>) => kind === 'template').message).toContain(
      'another run published it meanwhile',
    )
    expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: false } })
  },
)

test('the total of a run whose records another one created and published counts them as unchanged, and its own as created', async () => {
  const { run, file, meddling, vatom } = await desk()
  await vatom('template', 'delete', coupon, '--yes')
  file('catalog/4-coupon.yaml', published(template()))
  const { env } = await meddling(writes, async () => {
    file('else.yaml', published(template()))
    expect(await run(['apply', 'else.yaml', '--yes', '--publish'])).toMatchObject({ code: 0 })
  })
  const { code, err } = await run(['apply', 'catalog', '--yes', '--publish'], { env })
  expect({ code, last: err.trim().split('\n').at(-1) }).toEqual({ code: 0, last: '1 unchanged, 3 created' })
})

test('a name that another run takes meanwhile, with something else: the hint is to plan again', async () => {
  const { json, run, meddling, change, vatom } = await desk()
  await vatom('template', 'delete', coupon, '--yes')
  const { env } = await meddling(writes, () => change(green(template())))
  const { code, err } = await run(['apply', 'catalog', '--yes'], { env, columns: 300 })
  expect(code).toBe(1)
  expect(err).toContain('it was left as it is; plan again, and let one run at a time apply')
  expect(err).not.toContain('choose another name')
  expect(await json('template', 'get', coupon)).toMatchObject({
    properties: { template: { private: { color: 'green' } } },
  })
})

test('a template that another run publishes meanwhile, with something else, is not as the file says', async () => {
  const { json, run, file, meddling } = await desk()
  file('catalog/4-coupon.yaml', published(template()))
  const { env } = await meddling(writes, async () => {
    file('else.yaml', green(published(template())))
    expect(await run(['apply', 'else.yaml', '--yes', '--publish'])).toMatchObject({ code: 0 })
  })
  const { code, out } = await run(['apply', 'catalog', '--yes', '--publish', '--json'], { env })
  expect(code).toBe(1)
  expect(statuses(out)).toContain('template refused')
  expect(await json('template', 'get', coupon)).toMatchObject({
    properties: { template: { private: { color: 'green' } } },
  })
})

test('on a terminal, what is done before the first write is not shown as sending', async () => {
  const own = await catalogDesk()
  const screen = new Capture(true)
  const shown = (text: string) =>
    new Promise<void>((resolve) => {
      const others = screen.heard
      screen.heard = (all) => {
        others?.(all)
        if (all.includes(text)) resolve()
      }
    })
  const [compared, checked] = [shown('comparing template'), shown('checking template')]
  const fate = async ({ method, url = '', headers }: IncomingMessage): Promise<Fate> => {
    if (method === 'GET' && url.startsWith('/v1/templates/')) await compared
    if (headers['vatom-dry-run']?.includes('/')) await checked
    return 'answered'
  }
  const { env } = await lossy(own.service, fate, () => {}, ['vatom-dry-run'])
  expect(await own.run(['apply', 'catalog', '--yes'], { env, tty: true, screen })).toMatchObject({ code: 0 })
})
