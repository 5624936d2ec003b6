import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ruleName } from '../../../src/contract/rules/rule.ts'
import { ruleNotes } from '../../../src/documents/report/rule-notes.ts'

const root = join(import.meta.dirname, '../../..')
const names = ruleNotes.map(({ name }) => name)

/** Rules of documents that are no publisher's: a profile, a query. */
const elsewhere = ['read-only', 'one-document']

test('every rule that the code names is in the table', () => {
  const files = ['src/contract', 'src/documents', 'src/cli'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  const named = files.flatMap((text) => [
    ...[...text.matchAll(/(?:rule: |finding\(|[pP]roblem\([^\n]*?, )'([a-z-]+)'/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/'((?:yaml|json|overlay|face)-[a-z-]+)'/g)].map(([, name = '']) => name),
  ])
  expect(new Set(named).size).toBeGreaterThan(30)
  expect([...new Set(named)].filter((name) => !names.includes(name) && !elsewhere.includes(name))).toEqual([])
})

test('no rule is there twice', () => expect(new Set(names).size).toBe(names.length))

test('every rule has a name that saved plans and warnings of the service can have', () =>
  expect(names.filter((name) => !ruleName.test(name))).toEqual([]))
