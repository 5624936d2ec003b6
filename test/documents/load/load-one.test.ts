import { expect, test } from 'vitest'
import { loadProfile, loadQuery } from '../../../src/documents/load/load-known.ts'
import { folderWith } from '../../support/folders.ts'
import { options, places } from '../../support/loading.ts'

const query = (text: string, input = 'q.yaml') =>
  loadQuery(input, options(folderWith({ 'q.yaml': text, 'd/x.yaml': text })))
const profile = (text: string) => loadProfile('p.yaml', options(folderWith({ 'p.yaml': text })))

test('a query’s short names are written out', async () => {
  const { value, problems } = await query(
    '$schema: x\nscope: {key: template_variation, value: $publisher::A}\nlimit: 5\n',
  )
  expect(problems).toEqual([])
  expect(value).toEqual({ scope: { key: 'vAtom::vAtomType.template_variation', value: 'acme.com::A' }, limit: 5 })
})

test.each([
  ['an unknown field', 'scop: {}\n', ['unknown-field 1:1']],
  ['a misspelt field name', 'scope: {key: ownr, value: x}\n', ['search-field 1:14']],
  ['two documents', 'limit: 1\n---\nlimit: 2\n', ['one-document 3:1']],
  ['no document', '# nothing\n', ['empty']],
  ['a syntax error', 'limit: [\n', ['yaml-syntax 1:8']],
])('%s', async (_name, text, expected) => {
  const { value, problems } = await query(text)
  expect(value).toBeUndefined()
  expect(places(problems)).toEqual(expected)
})

test('a second document is said to be one too many', async () => {
  const { problems } = await query('limit: 1\n---\nlimit: 2\n')
  expect(problems).toMatchObject([{ message: 'a second document: a query has only one' }])
})

test.each([['d'], ['*.yaml'], ['nope.yaml']])('%s is no one file', async (input) => {
  expect(places((await query('limit: 1\n', input)).problems)).toEqual(['input'])
})

test('a profile is checked, too', async () => {
  expect(await profile('first_name: Ada\n')).toMatchObject({ value: { first_name: 'Ada' }, problems: [] })
  const { problems } = await profile('first_name: Ada\nbirthday: 1.2.2000\nlast_name: 12\n')
  expect(problems).toMatchObject([
    { line: 2, column: 11, spec: '4.2' },
    { line: 3, rule: 'yaml-number', hint: 'write "12"' },
  ])
})
