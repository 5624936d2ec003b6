import { expect, test } from 'vitest'
import { nextDocument } from '../../../src/documents/yaml/joined-documents.ts'

const many = (field: string) => Array.from({ length: 100_000 }, () => field)

test.each([
  ['the name of a template', many('template'), undefined],
  ['the name of a template, behind a template', ['template', 'vatom', ...many('template')], undefined],
  ['all that is in a document', ['template', 'vatom', ...many('template'), 'vatom'], 2],
  ['any fields', [...many('x').map((x, index) => x + index), 'template', 'vatom', 'kind'], undefined],
])('where another document begins is found at once among very many fields: %s', (_name, fields, expected) => {
  const started = performance.now()
  expect(nextDocument(fields)).toBe(expected)
  expect(performance.now() - started).toBeLessThan(1000)
})
