import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { KindName } from '../../../src/contract/values.ts'
import { formats } from '../../../src/contract/values.ts'
import { checkFiles } from '../../../src/documents/load/check-files.ts'
import { documentIssues } from '../../../src/documents/load/document-issues.ts'
import { expandDocument } from '../../../src/documents/load/expand.ts'
import { allProblems, sourcesOf } from '../../../src/documents/load/problems.ts'
import { readFile } from '../../../src/documents/load/read-file.ts'
import { plain, render } from '../../../src/documents/report/render.ts'
import { shortestTemplate } from '../../fixtures/yaml.ts'

const facts = { publisher: 'acme.com' }

/** Checks bytes as a file of a kind, and shows what is wrong in every format. */
async function check(file: string, bytes: Uint8Array, noun: KindName = 'template') {
  const checked = await checkFiles([readFile({ file, named: true }, bytes, { noun, ...facts })], { noun, ...facts })
  const problems = allProblems([], checked)
  const sources = sourcesOf(checked, problems)
  const shown = formats.map((format) => render(format, problems, { paint: plain, width: 80, sources }))
  return { documents: checked.flatMap(({ documents }) => documents), problems, shown }
}

const insert = fc.constantFrom(
  '*',
  '&a ',
  '*a',
  ': ',
  '- ',
  '\t',
  '[',
  '{',
  '"',
  "'",
  '#',
  '!',
  '<<: *a\n',
  '---\n',
  '\n',
  '\u0000',
  '%',
  '|',
  '? ',
  '__proto__: ',
  '\u009b',
)
const edits = fc.array(
  fc.tuple(fc.nat(400), fc.nat(3), fc.oneof(insert, fc.string({ unit: 'binary', maxLength: 3 }))),
  { minLength: 1, maxLength: 6 },
)
const mutated = edits.map((all) =>
  all.reduce(
    (text, [at, cut, more]) => text.slice(0, at) + more + text.slice(at + cut),
    shortestTemplate('states:\n  - name: Activated\n    value: {type: boolean, value: "true"}', 'b: &a {c: 1}\nd: *a'),
  ),
)

describe('nothing crashes', () => {
  const outcome = async (bytes: Uint8Array, file: string) => {
    const { documents, problems, shown } = await check(file, bytes)
    expect(documents.length + problems.length).toBeGreaterThan(0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    for (const text of shown) expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    for (const problem of problems.filter(({ line }) => line !== undefined)) {
      expect(problem.column).toBeGreaterThan(0)
      expect([problem.endLine, problem.endColumn].every((place) => Number(place) > 0)).toBe(true)
    }
  }
  test.each(['a.yaml', 'a.json'])('on any bytes: %s', async (file) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) => outcome(bytes, file)),
      { numRuns: 60 },
    )
  })
  test.each(['a.yaml', 'a.json'])('on any text: %s', async (file) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), (text) => outcome(Buffer.from(text), file)),
      { numRuns: 60 },
    )
  })
  test('on damaged documents', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, (text) => outcome(Buffer.from(text), 'a.yaml')),
      { numRuns: 80 },
    )
  })
})

const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' })
const telling = fc.constantFrom<unknown>(
  true,
  false,
  'true',
  'no',
  '*',
  0,
  12,
  null,
  [],
  {},
  'acme.com::X',
  '$publisher::X::v2',
  'other.com::Y',
  '0012',
  '#fff',
  'vAtom::vAtomType::FolderContainerType',
  { name: 'A' },
)
const full = {
  template: '$publisher::Full::v1',
  unpublished: true,
  public: false,
  cloneable: true,
  eth: { network: 'testnet', fields: { a: { type: 'uint', value: '1' } } },
  vatom: {
    'vAtom::vAtomType': {
      root_type: 'vAtom::vAtomType',
      title: 'T',
      redeemable: true,
      commerce: { pricing: { pricingType: 'Fixed', value: { currency: 'EUR', price: 3.5, valid_from: '*' } } },
      states: [{ name: 'Activated', value: { type: 'boolean', value: 'true' } }],
      resources: [
        {
          name: 'A',
          resourceType: 'ResourceType::Image::PNG',
          value: { resourceValueType: 'ResourceValueType::URI', value: 'https://example.com/a.png' },
        },
      ],
      visibility: { type: 'public', value: '*' },
    },
    private: { a: 1, b: { c: 'x' } },
  },
}
type Step = readonly [choices: readonly number[], value: unknown, key: string | undefined]
const steps = fc.array(
  fc.tuple(
    fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    fc.oneof(telling, json),
    fc.option(fc.constantFrom('titel', 'query', 'child_policy', 'redeemable', 'x y', '1', 'true', '~', 'on', ''), {
      nil: undefined,
    }),
  ),
  { maxLength: 4 },
)

/** A copy with the value that choices lead to replaced; under a key of its own when one is given. */
function replaced(value: unknown, [choices, fresh, key]: Step): unknown {
  const [choice, ...rest] = choices
  if (typeof value !== 'object' || value === null || choice === undefined) return fresh
  const keys = Object.keys(value)
  const name = (rest.length === 0 && key) || keys[choice % Math.max(1, keys.length)]
  if (name === undefined) return fresh
  const next = replaced(Reflect.get(value, name), [rest, fresh, key])
  return Array.isArray(value)
    ? value.map((one, index) => (String(index) === name ? next : one))
    : { ...value, [name]: next }
}
const hasProto = (value: unknown): boolean => JSON.stringify(value).includes('"__proto__"')
const told = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !['kind', '$schema', 'template_variation', 'display_url', 'reactor'].some((key) => Object.hasOwn(value, key))

/** A line that begins with a space which is none for YAML: as a key without quotes it is a mistake. */
const beginsStrangely = /^[ -]*[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/m

describe('a document is accepted exactly as its value is', () => {
  const errors = (issues: readonly { severity: string; path: unknown }[]) =>
    issues.filter(({ severity }) => severity === 'error')
  test.each<[string, (value: unknown) => string]>([
    ['a.yaml', (value) => stringify(value)],
    [
      'a.yaml',
      (value) =>
        stringify(value, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN', collectionStyle: 'flow' }),
    ],
    ['a.yaml', (value) => JSON.stringify(value)],
    ['a.json', (value) => JSON.stringify(value, null, '\t')],
  ])('%s', async (file, print) => {
    const value = steps.map((all) => all.reduce<unknown>(replaced, full)).filter((one) => told(one) && !hasProto(one))
    await fc.assert(
      fc.asyncProperty(value, async (one) => {
        const sent = expandDocument('template', JSON.parse(JSON.stringify(one)), facts.publisher)
        const expected = errors(documentIssues('template', sent, facts))
        const text = print(one)
        fc.pre(!beginsStrangely.test(text))
        const { documents, problems } = await check(file, Buffer.from(text))
        expect(documents).toHaveLength(1)
        if (problems.length === 0) expect(documents[0]?.value).toEqual(sent)
        expect(documents[0]?.valid, JSON.stringify([expected, problems])).toBe(expected.length === 0)
      }),
      { numRuns: 80 },
    )
  })
})
