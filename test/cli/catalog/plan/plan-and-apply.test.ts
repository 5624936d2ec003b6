import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../../fixtures/catalog.ts'
import { action, face, folderTemplate, template, variation } from '../../../fixtures/yaml.ts'
import { type WatchedDesk, watchedDesk } from '../../../support/desks.ts'
import { lossy } from '../../../support/lossy.ts'

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const templateNames = ['Coupon', 'Other', 'Box'].map((name) => `$publisher::${name}::v1`)
const variationNames = templateNames.flatMap((name) => [`${name}::Red`, `${name}::Blue`])
const definedFolder = 'vAtom::vAtomType::DefinedFolderContainerType'
const isFinal = pick(true, false, false)

/** A `child_policy` that names variations, some of which may not exist. */
const policies = fc
  .uniqueArray(pick(...variationNames, 'rival.example::Coupon::v1::Red'), { minLength: 1, maxLength: 2 })
  .map((names) => `child_policy: ${JSON.stringify(names.map((one) => ({ template_variation: one, count: 1 })))}\n    `)

/** What a template or variation says of being a container. */
const containers = fc.oneof(
  { weight: 4, arbitrary: pick('') },
  pick('root_type: vAtom::vAtomType::FolderContainerType\n    '),
  policies.map((policy) => `root_type: ${definedFolder}\n    ${policy}`),
)

const fields = (value: number) => `fields: { a: { type: uint, value: ${value} } }`

/** A template with one or two custom fields and resources, perhaps a container or on a chain. */
const templateOf = (name: string) =>
  fc
    .record({
      color: pick('color: blue', 'color: blue', 'color: green', 'size: s', 'color: blue\n    size: s'),
      resource: pick('CardImage', 'CardImage', 'CardImage', 'OtherImage'),
      eth: pick('', '', '', 'testnet', 'mainnet'),
      container: containers,
      isFinal,
    })
    .map(({ color, resource, eth, container, isFinal }) =>
      template(name, eth && `eth: { network: ${eth}, ${fields(1)} }\n`)
        .replace('color: blue', color)
        .replace('name: CardImage', `name: ${resource}`)
        .replace(container && 'root_type: vAtom::vAtomType\n    ', container)
        .replace('unpublished: true', `unpublished: ${!isFinal}`),
    )

const variationOf = (of: string, name: string) =>
  fc
    .record({
      own: pick('color: red', 'color: red', 'color: pink', 'color: pink', 'size: m'),
      eth: pick('', '', '', '', '', '', 'testnet', 'mainnet'),
      policy: fc.oneof({ weight: 8, arbitrary: pick('') }, policies),
      isFinal,
    })
    .map(({ own, eth, policy, isFinal }) =>
      variation(`${of}::${name}`, of, `unpublished: ${!isFinal}\n${eth && `eth: { network: ${eth}, ${fields(5)} }\n`}`)
        .replace('color: red', own)
        .replace('title: Red', `${policy}title: Red`),
    )

const faceOf = (of: string, mode: string) =>
  pick('CardImage', 'CardImage', 'CardImage', 'OtherImage', '').map((resource) =>
    face(of, mode).replace('[CardImage]', `[${resource}]`),
  )

const actionOf = (of: string) =>
  pick('', 'timeout: 9000\n').map((more) => action('Transfer', more).replace('$publisher::Coupon::v1', of))

const perhaps = <T>(arbitrary: fc.Arbitrary<T>, freq: number) =>
  fc.option(arbitrary, { nil: undefined, freq }).map((one) => (one === undefined ? [] : [one]))

/** What a catalog has of a template: often the template itself, variations, a face, an action. */
const familyOf = (name: string) =>
  fc
    .tuple(
      perhaps(templateOf(name), 6),
      perhaps(variationOf(name, 'Red'), 2),
      perhaps(variationOf(name, 'Blue'), 2),
      perhaps(faceOf(name, 'icon'), 2),
      perhaps(actionOf(name), 2),
    )
    .map((parts) => parts.flat())

/** Documents, each of which is a file; at least one. */
const catalogs = fc
  .tuple(...templateNames.map((name) => perhaps(familyOf(name), 2)))
  .map((parts) => parts.flat(2))
  .filter((documents) => documents.length > 0)

/** What is applied: a folder, which is a catalog, or one of its files. */
const inputs = fc
  .record({ folder: pick('a', 'b'), documents: catalogs, one: pick(false, false, false, true) })
  .map(({ folder, documents, one }) => ({ folder, documents, input: one ? `${folder}/0.yaml` : folder }))
type Input = typeof inputs extends fc.Arbitrary<infer T> ? T : never

/** A request of somebody else who works for the publisher; it may be refused. */
const requests = fc.oneof(
  fc
    .record({
      method: pick('DELETE', 'PATCH'),
      path: fc.oneof(
        pick(...templateNames).map((name) => `templates/${name}`),
        pick(...variationNames).map((name) => `template_variations/${name}`),
      ),
      body: pick<object>({ unpublished: false }, { public: true }, { eth: null }),
    })
    .map(({ method, path, body }) => ({ method, path, ...(method === 'PATCH' && { body }) })),
  pick(...variationNames).map((name) => ({
    method: 'POST',
    path: 'vatoms',
    body: { template_variation: name, num: 2 },
  })),
  pick(...templateNames).map((name) => ({ method: 'DELETE', path: `faces/${name}` })),
)
interface Request {
  readonly method: string
  readonly path: string
  readonly body?: object
}

async function requested({ service }: WatchedDesk, { method, path, body }: Request): Promise<void> {
  const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
  const send = (method: string, path: string, body?: object) =>
    service.inject({
      method,
      path: `/v1/${path}`.replace('$publisher', 'local.vatom'),
      headers,
      ...(body && { body: JSON.stringify(body).replace('$publisher', 'local.vatom') }),
    })
  if (!path.startsWith('faces/')) return void (await send(method, path, body))
  const { body: list } = await send('GET', `publisher/face?template=${path.slice('faces/'.length)}`)
  for (const { id } of JSON.parse(list).payload ?? []) await send('DELETE', `publisher/face/${id}`)
}

interface Scenario {
  readonly earlier: readonly (Input | Request)[]
  readonly now: Input
  readonly flags: readonly string[]
  /** How the plan is shown before it is carried out. */
  readonly way: 'apply --dry-run' | 'plan' | 'plan --out'
  readonly meanwhile: Request | undefined
  readonly balance: number
}
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  earlier: fc.array(fc.oneof(inputs, requests), { maxLength: 4 }),
  now: inputs,
  flags: fc.subarray(['--prune', '--prune-unowned']),
  way: pick('apply --dry-run', 'plan', 'plan --out'),
  meanwhile: fc.option(requests, { nil: undefined, freq: 2 }),
  balance: pick(0, 130, 1_000_000, 1_000_000),
})

const inputOf = (...documents: readonly string[]): Input => ({ folder: 'a', documents: [...documents], input: 'a' })
const final = template().replace('unpublished: true', 'unpublished: false')
const plainly = { flags: [], way: 'plan', meanwhile: undefined, balance: 1_000_000 } as const
/** A scenario for each code of a plan: one that is carried out, one that is refused, and one of what is not valid. */
const ofEachCode: readonly Scenario[] = [
  { ...plainly, earlier: [], now: inputOf(template()) },
  { ...plainly, earlier: [inputOf(final)], now: inputOf(final.replace('color: blue', 'color: green')) },
  { ...plainly, earlier: [], now: inputOf(template(), face().replace('[CardImage]', '[OtherImage]')) },
]

/** A desk whose runs write the documents that they are for. */
async function deskFor({ balance }: Scenario, offersDryRuns: boolean) {
  const desk = await watchedDesk('local', offersDryRuns ? { balance } : {})
  const { env } = offersDryRuns ? { env: {} } : await lossy(desk.service, () => 'answered')
  const write = ({ folder, documents }: Input) => {
    rmSync(join(desk.home, folder), { recursive: true, force: true })
    for (const [index, document] of documents.entries()) desk.file(`${folder}/${index}.yaml`, document)
  }
  const run = async (...args: readonly string[]) => {
    const { code, out } = await desk.run([...args, '--json'], { env })
    return { code, rows: rowsOf({ results: [], ...JSON.parse(out) }, 'status').sort(), changes: desk.changes() }
  }
  return { ...desk, write, run }
}

const consent = ['--yes', '--publish', '--accept-charges']
/** What apply is given to do what a way of planning shows: a plan that is not saved shows no publishing. */
const consentFor = (way: string) => (way === 'plan' ? ['--yes', '--accept-charges'] : consent)

test.each([
  ['that checks plans by a dry run', true],
  ['that only answers what it has', false],
])(
  'apply does what plan promised, on a service %s, for generated catalogs and states',
  async (_, offersDryRuns) => {
    const codes = new Set<number>()
    const done = async (scenario: Scenario) => {
      const { earlier, now, flags, way, meanwhile } = scenario
      const { write, run, changes, ...desk } = await deskFor(scenario, offersDryRuns)
      for (const one of earlier) {
        if ('method' in one) await requested(desk as WatchedDesk, one)
        else {
          write(one)
          await run('apply', one.input, ...consent)
        }
      }
      write(now)
      changes()
      const [verb = '', ...more] = way.split(' ')
      const planned = await run(
        verb,
        now.input,
        ...flags,
        ...more,
        ...(way === 'plan --out' ? ['saved.plan'] : []),
        ...(verb === 'apply' ? consent : []),
      )
      expect(planned.changes).toEqual([])
      if (meanwhile) await requested(desk as WatchedDesk, meanwhile)
      changes()
      const saved = way === 'plan --out' && planned.code === 0
      const applied = saved
        ? await run('apply', 'saved.plan', '--yes')
        : await run('apply', now.input, ...flags, ...consentFor(way))
      codes.add(planned.code)
      const { code, rows, changes: made } = applied
      if (!meanwhile) expect({ code, rows }).toEqual({ code: planned.code, rows: planned.rows })
      if (code !== 0) expect(made).toEqual([])
      // A second time there is nothing to do.
      else expect(await run('apply', now.input, ...flags, ...consentFor(way))).toMatchObject({ code: 0, changes: [] })
    }
    const property = fc.asyncProperty(scenarios, done)
    await fc.assert(property, { numRuns: 15, endOnFailure: true, examples: ofEachCode.map((one) => [one]) })
    // 2 is the code of --prune with a part of a catalog.
    expect([...codes].filter((code) => code !== 2).sort()).toEqual([0, 1, 3])
  },
  120_000,
)

const box = 'local.vatom::Box::v1'
const policy = (name: string) => `child_policy: [{ template_variation: ${name}, count: 1 }]`
/** A published defined folder and its variation, whose child_policy names a variation. */
const folder = (child: string) => [
  template(box)
    .replace('root_type: vAtom::vAtomType', `root_type: ${definedFolder}\n    ${policy(child)}`)
    .replace('unpublished: true', 'unpublished: false'),
  variation(`${box}::Red`, box, 'unpublished: false\n'),
]

/** A desk on a service that does not offer dry runs, with documents in `catalog/`. */
async function plainDesk(...documents: readonly string[]) {
  const desk = await watchedDesk('local')
  const { env } = await lossy(desk.service, () => 'answered')
  desk.file('catalog/all.yaml', documents.join('---\n'))
  const run = (...args: string[]) => desk.run([...args, '--json'], { env })
  return { ...desk, run }
}

test.each([
  ['exists nowhere', `${box}::Blue`],
  ["is another publisher's", 'rival.example::Coupon::v1::Red'],
])('a variation is not published whose child_policy names one that %s', async (_, child) => {
  const { run, changes } = await plainDesk(...folder(child))
  changes()
  const message = `${box}::Red cannot be published: its child_policy names a variation that does not exist: ${child}`
  for (const command of [['plan'], ['apply', ...consent]]) {
    const { code, out } = await run(...command, 'catalog')
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining(message) })
  }
  expect(changes()).toEqual([])
})

test('a variation of the same catalog is a child, wherever it stands', async () => {
  const { run } = await plainDesk(...folder(`${box}::Blue`), variation(`${box}::Blue`, box))
  expect(await run('apply', 'catalog', ...consent)).toMatchObject({ code: 0 })
})

test('--prune does not delete a child of what the same plan publishes', async () => {
  const { run, file, changes } = await plainDesk(template(), variation())
  expect(await run('apply', 'catalog', ...consent)).toMatchObject({ code: 0 })
  file('catalog/all.yaml', [template(), ...folder('local.vatom::Coupon::v1::Red')].join('---\n'))
  changes()
  for (const command of [['plan'], ['apply', ...consent]]) {
    const { code, out } = await run(...command, 'catalog', '--prune')
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('cannot be deleted: the child_policy of') })
  }
  expect(changes()).toEqual([])
})

test('beside a refused document, a draft that waits for --publish is unchanged in plan and apply', async () => {
  const { run, file, changes } = await plainDesk(
    template().replace('unpublished: true', 'unpublished: false'),
    variation(),
  )
  expect(await run('apply', 'catalog', ...consent)).toMatchObject({ code: 0 })
  const final = variation(undefined, undefined, 'unpublished: false\n')
  file('catalog/all.yaml', [final, face().replace('[CardImage]', '[OtherImage]')].join('---\n'))
  changes()
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { code, out } = await run(...command, 'catalog')
    const rows = rowsOf(JSON.parse(out), 'status').map((row) => row.split(' ', 2).join(' '))
    expect({ code, rows }).toEqual({ code: 1, rows: ['unchanged variation', 'refused face'] })
  }
  expect(changes()).toEqual([])
})

test('deleting a draft that a published child_policy names is warned of before it is done, naming the parents', async () => {
  const { run, vatom, file } = await watchedDesk('local')
  const name = 'local.vatom::Coupon::v1::Red'
  file('catalog/all.yaml', [template(), variation(), ...folder(name)].join('---\n'))
  expect(await vatom('apply', 'catalog', ...consent)).toMatchObject({ code: 0 })
  const warned = expect.stringMatching(
    /warning\S* .*::Coupon::v1::Red is in the child_policy of local\.vatom::Box::v1::Red/,
  )
  expect(await vatom('variation', 'delete', name, '--dry-run')).toMatchObject({ code: 0, err: warned })
  const answers = { [`Delete variation ${name}?`]: 'n' }
  const asked = await run(['variation', 'delete', name], { tty: true, columns: 200, answers })
  expect(asked.code).not.toBe(0)
  expect(asked.err.indexOf('is in the child_policy of')).toBeLessThan(asked.err.indexOf('Delete variation'))
  expect(asked.err).toContain('is in the child_policy of')
  file('catalog/all.yaml', template())
  expect(await vatom('plan', 'catalog', '--prune')).toMatchObject({ code: 0, err: warned })
})

test('a plan that prunes a part of a catalog has the exit code of apply', async () => {
  const { run, file, changes } = await plainDesk(template(), variation())
  file('catalog/vatom.yaml', 'catalog: shop\n')
  expect(await run('apply', 'catalog', ...consent)).toMatchObject({ code: 0 })
  file('catalog/bad.yaml', 'template: [')
  file('catalog/blue.yaml', variation('local.vatom::Coupon::v1::Blue'))
  changes()
  for (const command of [['plan'], ['apply', '--dry-run'], ['apply', ...consent]]) {
    const { code, out } = await run(...command, 'catalog/blue.yaml', '--prune')
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining('needs the whole catalog, not a part of it'),
    })
  }
  expect(changes()).toEqual([])
})

describe('a variation that is renamed in its file, and not in the child_policy of another file', () => {
  const old = 'local.vatom::Coupon::v1::Red'
  const coupons = (name: string) => [template(), variation(name)].join('---\n')

  async function renamed() {
    const desk = await watchedDesk('local')
    desk.file('catalog/vatom.yaml', 'catalog: shop\n')
    desk.file('catalog/coupon.yaml', coupons(old))
    const names = folderTemplate(box, `[{ template_variation: '${old}', count: 1 }]`)
    desk.file('catalog/box.yaml', `# vatom-ignore-file no-face\n${names}`)
    expect(await desk.vatom('apply', 'catalog', '--yes')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('child-missing'),
    })
    desk.file('catalog/coupon.yaml', coupons('$publisher::Coupon::v1::Blue'))
    desk.changes()
    return desk
  }

  test('is warned of by plan and apply, in every format', async () => {
    const { vatom, json } = await renamed()
    const warning = `no variation in the catalog is named ${old}`
    for (const command of [['plan'], ['apply', '--yes']]) {
      const { code, err } = await vatom(...command, 'catalog')
      expect({ code, times: err.split(warning).length - 1 }).toEqual({ code: 0, times: 1 })
      expect(err).toContain(
        'if the service has it, and no other catalog here, add it in the folder of the catalog: vatom pull --template local.vatom::Coupon::v1',
      )
    }
    expect(await json('plan', 'catalog')).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ name: box, problems: [expect.objectContaining({ rule: 'child-missing' })] }),
      ]),
    })
    expect((await vatom('plan', 'catalog', '--format', 'markdown')).out).toContain(warning)
    expect((await vatom('plan', 'catalog')).out).toContain(`? variation ${old}: a child_policy of the catalog names it`)
  })

  test('is not deleted by --prune', async () => {
    const { vatom, json, changes, file } = await renamed()
    for (const command of [['plan'], ['apply', '--yes']]) {
      const { code, out, err } = await vatom(...command, 'catalog', '--prune')
      const refused = `variation ${old} cannot be deleted: the child_policy of ${box} (catalog/box.yaml) names it`
      expect({ code, said: out + err }).toEqual({ code: 1, said: expect.stringContaining(refused) })
      expect(out + err).toContain('hint: name another variation there, or add the file of this one again')
    }
    expect(changes()).toEqual([])
    file('catalog/box.yaml', folderTemplate(box, '[{ template_variation: $publisher::Coupon::v1::Blue, count: 1 }]'))
    expect(await vatom('apply', 'catalog', '--prune', '--yes')).toMatchObject({ code: 0 })
    expect(await json('variation', 'list')).toMatchObject([{ name: 'local.vatom::Coupon::v1::Blue' }])
  })
})
