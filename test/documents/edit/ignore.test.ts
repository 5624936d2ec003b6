import { expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import type { KindName } from '../../../src/contract/values.ts'
import { constraints, shortestTemplate } from '../../fixtures/yaml.ts'
import { loadFiles, loadText, places } from '../../support/loading.ts'

const unversioned = shortestTemplate().replace('::T::v1', '::T')
const old =
  'resources:\n  - name: A\n    resourceType: ResourceTypes::Image::PNG\n    value: {resourceValueType: "ResourceValueType::URI", value: "https://a.example/b"}'
const rulesOf = async (text: string, noun?: KindName) => places((await loadText(text, noun)).problems)

test.each<[string, string]>([
  ['at the end of the line', unversioned.replace('::T', '::T # vatom-ignore name-version')],
  ['on the line before', `# vatom-ignore name-version\n${unversioned}`],
  ['on the line before, with a reason', `# vatom-ignore name-version a one-off\n${unversioned}`],
  ['with other comments and blank lines between', `# vatom-ignore name-version\n\n# more\n${unversioned}`],
  [
    'one of several',
    `# vatom-ignore name-version ,  eos-unspecified\n${unversioned}\neos: {}`.replace('\neos: {}', ''),
  ],
  [
    'in the whole file',
    `# a file\n# vatom-ignore-file name-version, resource-type-prefix\n---\n${unversioned}\n${old.replace(/^/gm, '    ')}`,
  ],
])('a warning is switched off: %s', async (name, text) => {
  const found = await rulesOf(text)
  if (name === 'one of several') expect(found).toEqual(['ignore-unused 1:32'])
  if (name !== 'one of several' && !name.includes('whole')) expect(found).toEqual([])
  expect(found.join()).not.toContain('name-version')
})

test('the places around stay as they are', async () => {
  const two = shortestTemplate(
    `${old}\n  - name: B # vatom-ignore resource-type-prefix\n${old.split('\n').slice(2).join('\n')}`,
  )
  expect(await rulesOf(two)).toEqual(['resource-type-prefix 7:23', 'ignore-unused 9:32', 'resource-type-prefix 10:23'])
  const ignored = two
    .replace('name: B # vatom-ignore resource-type-prefix', 'name: B')
    .replace(/(.*PNG)/s, '$1 # vatom-ignore resource-type-prefix')
  expect(await rulesOf(ignored)).toEqual(['resource-type-prefix 7:23'])
})

test('an unknown rule, with the one that is meant', async () => {
  const { problems } = await loadText(`# vatom-ignore nmae-version\n${unversioned}`)
  expect(problems).toMatchObject([
    { rule: 'ignore', severity: 'warning', line: 1, column: 16, hint: 'did you mean name-version?' },
    { rule: 'name-version' },
  ])
})

test('an error stays, and the comment says so', async () => {
  const { problems, documents } = await loadText(`${shortestTemplate()}\ntitel: x # vatom-ignore unknown-field`)
  expect(problems).toMatchObject([
    { rule: 'unknown-field', severity: 'error' },
    { rule: 'ignore', severity: 'warning', message: expect.stringContaining('cannot be switched off') },
  ])
  expect(documents[0]?.valid).toBe(false)
})

test('a warning that is at no document stays, and the comment says so', async () => {
  const { problems } = await loadText(`# vatom-ignore stays-published\n${shortestTemplate()}`)
  expect(problems).toMatchObject([
    { rule: 'ignore', severity: 'warning', message: 'stays-published cannot be switched off by a comment' },
  ])
})

test('a comment that switches nothing off is reported, but not in a document that has errors', async () => {
  expect(await rulesOf(`# vatom-ignore name-version\n${shortestTemplate()}`)).toEqual(['ignore-unused 1:16'])
  expect(await rulesOf(`# vatom-ignore name-version\n${shortestTemplate()}\nx: 1`)).toEqual(['unknown-field 8:1'])
  expect(await rulesOf(`# vatom-ignore\n${shortestTemplate()}`)).toEqual(['ignore 1:1'])
  expect(await rulesOf(`${shortestTemplate()}\n# vatom-ignore-file name-version\n`)).toEqual(['ignore 7:1'])
})

test('only comments count', async () => {
  const text = shortestTemplate(
    'title: "# vatom-ignore x"\ndescription: |\n  # vatom-ignore x\ncategory: a # vatom-ignored x, vatom-ignore x',
  )
  expect(await rulesOf(text)).toEqual([])
  const json = JSON.stringify({
    template: 'acme.com::T::v1',
    vatom: { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: '# vatom-ignore x' } },
  })
  expect((await loadFiles({ 'a.json': json })).problems).toEqual([])
})

const face = (viewMode: string) => `template: $publisher::T::v1
display_url: native://image
package_url: .
constraints: ${constraints({ view_mode: viewMode })}
resources: []
`
const ignoring = `# vatom-ignore icon-face\n${shortestTemplate()}`

test('what other documents show is switched off too; an unused comment is reported only where they are loaded', async () => {
  const at = async (files: Record<string, string>) =>
    places(
      (
        await loadFiles(files, 'template', [
          't.yaml',
          ...Object.keys(files)
            .slice(1)
            .map(() => '.'),
        ])
      ).problems,
    )
  expect(await at({ 't.yaml': shortestTemplate(), 'f.yaml': face('card') })).toEqual(['icon-face 1:11'])
  expect(await at({ 't.yaml': ignoring, 'f.yaml': face('card') })).toEqual([])
  expect(await at({ 't.yaml': ignoring })).toEqual([])
  expect(await at({ 't.yaml': ignoring, 'f.yaml': face('icon') })).toEqual(['ignore-unused 1:16'])
})

test('a comment that applies to another line than the problem says to which, and where the problem is', async () => {
  const text = shortestTemplate(old.replace('- name', '# vatom-ignore resource-type-prefix\n  - name'))
  const { problems } = await loadText(text)
  expect(problems.find(({ rule }) => rule === 'ignore-unused')).toMatchObject({
    message: 'resource-type-prefix finds no problem on line 7, to which the comment applies',
    hint: 'move it to line 8, or above it',
  })
})

test("a comment in another kind's document is left alone", async () => {
  const text = `${shortestTemplate()}\n---\n# vatom-ignore face-shadowed, nonsense\n${face('icon')}`
  expect(await rulesOf(text, 'template')).toEqual([])
  expect(await rulesOf(text, 'face')).toEqual(['ignore-unused 8:16', 'ignore 8:31', 'face-needs 10:14'])
})

test('very many comments are read in time that grows with their number', async () => {
  const { problems } = await loadText(`${'# vatom-ignore name-version\n'.repeat(40_000)}${shortestTemplate()}`)
  expect(new Set(problems.map(({ rule }) => rule))).toEqual(new Set(['ignore-unused', 'too-many']))
})

test('of a hundred thousand comments at a thousand documents, the first problems are reported in time', async () => {
  const comments = '# vatom-ignore icon\n'.repeat(95)
  const { problems } = await loadText(`---\nkind: face\n${comments}`.repeat(1000), 'face')
  const found = problems.filter(({ rule }) => rule !== 'required')
  expect(found).toHaveLength(limits.problems + 1)
  expect(found.filter(({ rule }) => rule === 'ignore')).toHaveLength(limits.problems)
  expect(found.find(({ rule }) => rule === 'too-many')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('the rest is not shown'),
  })
})
