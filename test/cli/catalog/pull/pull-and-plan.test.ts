import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { groupBy } from '../../../../src/contract/schema/group-by.ts'
import { at, isObject } from '../../../../src/contract/schema/path.ts'
import { type Choose, choicesOf, handwritten, numbers } from '../../../fixtures/handwritten.ts'
import { action, face, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

const other = '$publisher::Other::v1'
const eth = 'eth: { network: testnet, fields: { a: { type: uint, value: "0012" } } }\n'
const price =
  'redeemable: true\n    commerce: { pricing: { pricingType: Fixed, value: { value: { currency: EUR, price: 2 } } } }'

/** What the service has. */
const records = [
  template(undefined, `cloneable: true\n${eth}`).replace('category: Coupons', price),
  variation(),
  variation('$publisher::Coupon::v1::Blue', undefined, 'max_clones: 3\n').replace('color: red', 'color: "no"'),
  face().replace('gps: false', 'gps: true'),
  face(undefined, 'card'),
  action('Transfer', 'wait: true\npolicy: { pre: [$publisher::Coupon::v1::Action::Drop] }\n'),
  action('Drop'),
  template(other),
  face(other),
]

/** What a person changes in a document: other values, more of them, fewer. */
const changes: readonly ((document: Record<string, unknown>) => void)[] = [
  () => {},
  (document) => set(document, ['vatom', 'vAtom::vAtomType', 'title'], 'Something else: new'),
  (document) => set(document, ['vatom', 'vAtom::vAtomType', 'states'], []),
  (document) => set(document, ['vatom', 'vAtom::vAtomType', 'commerce'], undefined),
  (document) => set(document, ['vatom', 'private'], { color: 'other', list: [1, { a: 'b' }] }),
  (document) => set(document, ['constraints', 'gps'], 'other'),
  (document) => set(document, ['resources'], []),
  (document) => set(document, ['policy', 'pre'], []),
  (document) => set(document, ['timeout'], 10_000),
  (document) => set(document, ['eth', 'fields', 'a', 'value'], 12),
  (document) => set(document, ['cloneable'], false),
  (document) => {
    document.public = true
    document.unpublished = true
  },
]

/** Sets a value where its object exists. */
function set(document: unknown, path: readonly string[], value: unknown): void {
  const owner = at(document, ...path.slice(0, -1))
  if (!isObject(owner) || !Object.hasOwn(owner, path.at(-1) ?? '')) return
  if (value === undefined) delete owner[path.at(-1) ?? '']
  else owner[path.at(-1) ?? ''] = value
}

/** A catalog of some of the records, changed, in files as a person might have laid them out. */
function laidOut(choose: Choose): Record<string, string> {
  const files: Record<string, string> = {}
  for (const text of records) {
    if (choose(5) === 0) continue
    const document: Record<string, unknown> = parse(text)
    changes[choose(changes.length)]?.(document)
    if (choose(4) === 0) changes[choose(changes.length)]?.(document)
    const folder = ['', 'all/', 'deep/er/'][choose(3)]
    if (choose(6) === 0) files[`${folder}${Object.keys(files).length}.json`] = JSON.stringify(document, null, choose(4))
    else {
      const name = `${folder}${choose(3)}.yaml`
      const own = `${choose(2) ? '# mine\n' : ''}${handwritten(document, choose)}`
      files[name] = files[name] === undefined ? own : `${files[name]}---\n${own}`
    }
  }
  return files
}

const textsIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(yaml|json)$/.test(name) && !name.includes('.vatom'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

test('after a pull a catalog is valid and plan has nothing to change, however it was laid out and changed by hand', async () => {
  const desk = await publisher()
  desk.file('records.yaml', records.join('---\n'))
  await desk.json('apply', 'records.yaml', '--yes')
  const folder = join(desk.home, 'shop')
  const property = fc.asyncProperty(numbers, async (list) => {
    rmSync(folder, { recursive: true, force: true })
    const files = laidOut(choicesOf(list))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const pulled = (await desk.json('pull', 'shop', '--yes')) as { results: { file: string; status: string }[] }
    const statuses = groupBy(pulled.results, ({ file }) => file)
    for (const [name, text] of Object.entries(files))
      if (statuses.get(`shop/${name}`)?.every(({ status }) => status === 'unchanged'))
        expect(textsIn(folder)[name]).toBe(text)
    expect(await desk.vatom('validate', 'shop')).toMatchObject({ code: 0 })
    expect(await desk.json('plan', 'shop')).toMatchObject({
      summary: { total: records.length, unchanged: records.length, unlisted: 0 },
    })
    const before = textsIn(folder)
    expect(await desk.vatom('pull', 'shop')).toEqual({
      code: 0,
      out: '',
      err: `${records.length} documents: ${records.length} unchanged\n`,
    })
    expect(textsIn(folder)).toEqual(before)
  })
  await fc.assert(property, { numRuns: 6, endOnFailure: true })
})
