import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../../src/cli/catalog/plan/compare-record.ts'
import { formats } from '../../../../src/contract/values.ts'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { face } from '../../../fixtures/yaml.ts'

const commands = ['::error::fake', '##[error]fake', '##vso[task.x]fake', "##teamcity[x 'fake']"]
const hostile = `x\u001b]52;c;aGk=\u0007\u009b2J\u202e\r\n${commands.join('\n')}\n</details>`

/** What a plan says, as far as this test changes it. */
type Content = Readonly<Record<'documents' | 'deletions', readonly Readonly<Record<string, unknown>>[]>>

const warning = { file: 'a.yaml', rule: 'r', severity: 'warning', path: 'a', message: 'm' }

const ofDocuments =
  (said: object) =>
  ({ documents }: Content) => ({ documents: documents.map((one) => ({ ...one, ...said })) })
const ofFaces =
  (said: object) =>
  ({ documents }: Content) => ({
    documents: documents.map((one) => (one.kind === 'face' ? { ...one, key: 'own', mark: 'm', ...said } : one)),
  })
const ofDeletions =
  (said: object) =>
  ({ deletions }: Content) => ({ deletions: deletions.map((one) => ({ ...one, ...said })) })
const unlisted = (said: object) => () => ({
  unlisted: [
    {
      kind: 'action',
      key: 'local.vatom::Other::v1::Action::Drop',
      name: 'local.vatom::Other::v1::Action::Drop',
      contents: [],
      template: 'local.vatom::Other::v1',
      final: false,
      published: false,
      ...said,
    },
  ],
})

const places: Readonly<Record<string, (content: Content) => object>> = {
  'when it was planned': () => ({ when_planned: hostile }),
  'its target': () => ({ target: hostile }),
  'its publisher': () => ({ publisher: hostile, documents: [] }),
  'its command': () => ({ command: hostile }),
  'its folder': () => ({ folder: hostile }),
  'the name of a catalog': () => ({ catalogs: { [hostile]: hostile } }),
  'why it is unchecked': () => ({ unchecked: hostile, checked: 1 }),
  'the file of a document': ofDocuments({ file: hostile }),
  'the key of a face': ofFaces({ key: hostile }),
  'the mark of a record': ofDocuments({ mark: hostile, action: 'update' }),
  'when a record was changed': ofDocuments({ modified: hostile }),
  'a change': ofDocuments({
    mark: 'm',
    action: 'update',
    changes: [{ path: hostile, before: hostile, after: hostile }],
  }),
  'a caution': ofDocuments({ publishes: true, cautions: [{ code: 'draft_contents', names: [hostile] }] }),
  'a duplicate': ofFaces({ alike: [{ id: hostile, display_url: hostile }] }),
  'the catalog that owned a record': ofDocuments({ taken_from: hostile }),
  'the mark of a deletion': ofDeletions({ mark: hostile, modified: hostile, own_key: hostile }),
  'the label of a deletion': ofDeletions({ label: hostile }),
  'the template of a deletion': ofDeletions({ template: hostile }),
  'what is deleted with a record': ofDeletions({ contents: [hostile] }),
  'the template of what stays': unlisted({ template: hostile }),
  'what stays with a record': unlisted({ kind: 'template', contents: [hostile] }),
  'the catalog of what stays': unlisted({ catalog: hostile }),
  'where else it is': unlisted({ also_in: hostile, others: hostile }),
  'where else it is in a catalog of the same name': unlisted({ also_in: hostile, same_name: true }),
  'which file is ignored': unlisted({ ignored_in: hostile }),
  'the submodule of what stays': unlisted({ submodule: hostile, catalog: hostile }),
  'why what stays cannot be deleted': unlisted({ refusal: { code: hostile, message: hostile } }),
  ...Object.fromEntries(
    ['file', 'path', 'message', 'hint', 'spec'].map((field) => [
      `the ${field} of a warning`,
      () => ({ warnings: [{ ...warning, [field]: hostile }] }),
    ]),
  ),
  'a warning of a document': ofDocuments({ warnings: [{ ...warning, message: hostile }] }),
  'a warning of a deletion': ofDeletions({ warnings: [{ ...warning, message: hostile }] }),
}

const pipelines = { GITHUB_ACTIONS: 'true', TF_BUILD: 'True', TEAMCITY_VERSION: '1' }

/** A saved plan that changes a face and deletes an action, and what shows it with an edit, under a digest that fits. */
async function savedPlan() {
  const desk = await catalogDesk()
  await desk.applied()
  desk.remove('2-action')
  desk.file('catalog/1-face.yaml', face().replace('native://image', 'https://cdn.example/face.html'))
  await desk.vatom('plan', 'catalog', '--prune', '--out', 'the.plan')
  const { content, ...head } = JSON.parse(readFileSync(join(desk.home, 'the.plan'), 'utf8'))
  return (edit: (content: Content) => object, format: string) => {
    const edited = { ...content, ...edit(content) }
    desk.file('the.plan', JSON.stringify({ ...head, digest: digestOf(edited), content: edited }))
    const env = { ...pipelines, VATOM_CONTEXT: 'local' }
    return desk.run(['plan', 'show', 'the.plan', '--format', format], { env })
  }
}

describe('nothing in a saved plan is a command to a terminal or to the log of a pipeline, in any format', () => {
  test.each(Object.entries(places))('%s', async (_, edit) => {
    const shown = await savedPlan()
    for (const format of formats) {
      const { code, out, err } = await shown(edit, format)
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('planned at') })
      for (const text of [out, err]) {
        expect(text).not.toMatch(/[\p{Cc}\u202e](?<!\n)/u)
        expect(text).not.toMatch(/^\s*::\w+::/m)
        expect(text).not.toMatch(/##(vso|teamcity)?\[/)
      }
    }
  })
})

test('why a saved plan is unchecked is in a block of code of its Markdown', async () => {
  const shown = await savedPlan()
  const { out } = await shown(() => ({ unchecked: '@everyone <img src=x>' }), 'markdown')
  const lines = out.split('\n')
  const at = lines.indexOf('@everyone <img src=x>: the service does not check the plan')
  expect(lines.slice(0, at).filter((line) => line.startsWith('```')).length % 2).toBe(1)
})

test.each([
  ['following_vatoms', ofDocuments({ following_vatoms: -5 })],
  ['private_addresses', ofDocuments({ private_addresses: -5 })],
  ['checked', () => ({ unchecked: 'x', checked: -5 })],
  ['charged_writes', () => ({ charged_writes: -5 })],
])('a saved plan counts %s from 0', async (_, edit) => {
  const shown = await savedPlan()
  expect(await shown(edit, 'text')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('the.plan is not a complete saved plan'),
  })
})

test('a saved plan names rules by words alone', async () => {
  const shown = await savedPlan()
  expect(await shown(() => ({ warnings: [{ ...warning, rule: hostile }] }), 'text')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('the.plan is not a complete saved plan'),
  })
})
