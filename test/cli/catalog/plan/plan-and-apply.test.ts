import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catalogDesk, rowsOf } from '../../../fixtures/catalog.ts'
import { action, face, template, variation } from '../../../fixtures/yaml.ts'
import { lossy } from '../../../support/lossy.ts'

const other = '$publisher::Other::v1'
const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)

/** A template of one of two names, with one or two custom fields and resources, and perhaps a chain section. */
const templates = fc
  .record({
    name: pick(undefined, other),
    color: pick('color: blue', 'color: green', 'size: s', 'color: blue\n    size: s'),
    resource: pick('CardImage', 'CardImage', 'OtherImage'),
    eth: pick('', '', 'testnet', 'mainnet'),
    isFinal: pick(false, false, true),
  })
  .map(({ name, color, resource, eth, isFinal }) =>
    template(name, eth && `eth: { network: ${eth}, fields: { a: { type: uint, value: 1 } } }\n`)
      .replace('color: blue', color)
      .replace('name: CardImage', `name: ${resource}`)
      .replace('unpublished: true', `unpublished: ${!isFinal}`),
  )

const variations = fc
  .record({
    of: pick(undefined, other),
    name: pick('Red', 'Blue'),
    own: pick('color: red', 'color: pink', 'size: m'),
    eth: pick('', '', 'eth: { network: testnet, fields: { a: { type: uint, value: 5 } } }\n'),
    isFinal: pick(false, false, true),
  })
  .map(({ of = '$publisher::Coupon::v1', name, own, eth, isFinal }) =>
    variation(`${of}::${name}`, of, `unpublished: ${!isFinal}\n${eth}`).replace('color: red', own),
  )

const faces = fc
  .record({ of: pick(undefined, other), mode: pick('icon', 'card'), resource: pick('CardImage', 'OtherImage', '') })
  .map(({ of, mode, resource }) => face(of, mode).replace('[CardImage]', `[${resource}]`))

const actions = pick('', 'timeout: 9000\n').map((more) => action('Transfer', more))

/** A catalog, at most one document of each name; it may be of one file alone. */
const catalogs = fc.uniqueArray(
  fc.oneof({ weight: 3, arbitrary: templates }, { weight: 3, arbitrary: variations }, faces, actions),
  { minLength: 1, maxLength: 5, selector: (text) => /view_mode: \w+/.exec(text)?.[0] + (text.split('\n')[0] ?? '') },
)

const flags = fc.subarray(['--publish', '--prune'])
test.each([
  ['that checks plans by a dry run', true],
  ['that only answers what it has', false],
])('apply does what plan promised, on a service %s, for generated catalogs and states', async (_, offersDryRuns) => {
  const done = async (now: readonly string[], args: readonly string[], earlier: readonly (readonly string[])[]) => {
    const desk = await catalogDesk()
    const { env } = offersDryRuns ? { env: {} } : await lossy(desk.service, () => 'answered')
    const apply = async (documents: readonly string[], ...args: readonly string[]) => {
      desk.file('now.yaml', documents.join('---\n'))
      const { code, out } = await desk.run(['apply', 'now.yaml', '--yes', '--accept-charges', '--json', ...args], {
        env,
      })
      return { code, rows: rowsOf({ results: [], ...JSON.parse(out) }, 'status').sort(), changes: desk.changes() }
    }
    for (const documents of earlier) await apply(documents, '--publish')
    const planned = await apply(now, '--dry-run', ...args)
    const applied = await apply(now, ...args)
    expect(planned.changes).toEqual([])
    expect(applied).toMatchObject({ code: planned.code, rows: planned.rows })
    if (planned.code !== 0) expect(applied.changes).toEqual([])
    // A second time there is nothing to do.
    else expect(await apply(now, ...args)).toMatchObject({ code: 0, changes: [] })
    return planned.code
  }
  const codes = new Set<number>()
  const property = fc.asyncProperty(catalogs, flags, fc.array(catalogs, { maxLength: 2 }), async (...given) => {
    codes.add(await done(...given))
  })
  await fc.assert(property, { numRuns: 40 })
  expect([...codes].sort()).toEqual([0, 1, 3])
})
