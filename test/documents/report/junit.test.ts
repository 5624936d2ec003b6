import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exit, Failure } from '../../../src/cli/failure/failure.ts'
import type { Row } from '../../../src/cli/kinds/results.ts'
import type { Problem } from '../../../src/documents/load/loaded.ts'
import { junitOf } from '../../../src/documents/report/junit.ts'

interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Node[]
  text: string
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#10': '\n',
  '#9': '\t',
}
const decoded = (text: string) =>
  text.replaceAll(/&([^;]*);?/g, (whole, name: string) => {
    if (!whole.endsWith(';') || !Object.hasOwn(entities, name)) throw new Error(`no entity: ${whole}`)
    return entities[name] ?? ''
  })

/** Reads XML as strictly as parsers do: what is not well-formed throws. */
function parse(xml: string): Node {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) throw new Error('not a character of XML')
  const rest = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  const top: Node = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  for (const [token, end, name, written, empty] of rest.matchAll(
    /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|[^<]+|</g,
  )) {
    const parent = open.at(-1) ?? top
    if (name === undefined) {
      if (token === '<' || token.includes(']]>')) throw new Error(`not well-formed: ${token}`)
      parent.text += decoded(token)
    } else if (end) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`)
    } else {
      const pairs = [...(written ?? '').matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value = '']) => [
        key,
        decoded(value),
      ])
      const node: Node = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
      parent.children.push(node)
      if (!empty) open.push(node)
    }
  }
  const [root, ...others] = top.children
  if (root === undefined || others.length > 0 || open.length !== 1) throw new Error('not one element')
  return root
}

const row = (more: Partial<Row> = {}): Row => ({
  file: 'a.yaml',
  kind: 'template',
  name: 'acme::A::v1',
  status: 'created',
  message: 'Created template acme::A::v1',
  problems: [],
  ...more,
})
const problem = (more: Partial<Problem> = {}): Problem => ({
  file: 'a.yaml',
  line: 3,
  column: 5,
  endLine: 3,
  endColumn: 9,
  rule: 'unknown-field',
  severity: 'error',
  path: '',
  message: 'unknown field titel',
  ...more,
})
const suiteOf = (rows: readonly Row[]) => {
  const [suite] = parse(junitOf(rows, { name: 'vatom apply', seconds: 1.23456 })).children
  if (suite === undefined) throw new Error('there is no suite')
  return suite
}
const caseOf = (one: Row) => suiteOf([one]).children[0]
const child = (node: Node | undefined, name: string) => node?.children.find((one) => one.name === name)

test('a suite counts its documents and says how long it took', () => {
  const statuses = ['created', 'unchanged', 'valid', 'invalid', 'refused', 'failed', 'not_sent', 'not_sent'] as const
  const rows = statuses.map((status) => row({ status }))
  const counts = { tests: '8', failures: '3', errors: '0', skipped: '2', time: '1.235' }
  expect(suiteOf(rows)).toMatchObject({ name: 'testsuite', attributes: { name: 'vatom apply', ...counts } })
  expect(parse(junitOf(rows, { name: 'x', seconds: 1.23456 }))).toMatchObject({
    name: 'testsuites',
    attributes: counts,
  })
  expect(suiteOf(rows).children.map(({ name }) => name)).toEqual(rows.map(() => 'testcase'))
  expect(suiteOf([]).children).toEqual([])
})

test('a document that went well says what became of it, with its warnings', () => {
  const found = caseOf(row({ problems: [problem({ severity: 'warning', hint: 'do' })] }))
  expect(found?.attributes).toEqual({ classname: 'template', name: 'acme::A::v1', file: 'a.yaml' })
  expect(child(found, 'properties')?.children[0]?.attributes).toEqual({ name: 'status', value: 'created' })
  expect(child(found, 'system-out')?.text).toBe(
    'Created template acme::A::v1\na.yaml:3:5: warning[unknown-field]: unknown field titel\n  hint: do',
  )
  expect(child(found, 'failure') ?? child(found, 'skipped')).toBeUndefined()
})

test('one that is invalid fails with all its errors, at the first of them', () => {
  const problems = [problem(), problem({ line: 4, message: 'no' }), problem({ severity: 'warning', message: 'hm' })]
  const found = caseOf(row({ status: 'invalid', message: 'invalid', problems }))
  expect(found?.attributes).toMatchObject({ line: '3' })
  expect(child(found, 'failure')).toMatchObject({
    attributes: { type: 'invalid', message: 'unknown field titel (and 1 more)' },
    text: 'a.yaml:3:5: error[unknown-field]: unknown field titel\na.yaml:4:5: error[unknown-field]: no',
  })
  expect(child(found, 'system-out')?.text).toContain('hm')
  expect(child(found, 'system-out')?.text).not.toContain('invalid')
})

test('one that the service refused fails with its reason and what to do next, where its name stands', () => {
  const failure = new Failure('name_taken', exit.refused, 'already exists', { hint: 'choose another name' })
  const place = { line: 7, column: 1, endLine: 7, endColumn: 4 }
  const found = caseOf(row({ status: 'refused', message: 'refused', failure, place }))
  expect(found?.attributes).toMatchObject({ line: '7' })
  expect(child(found, 'failure')).toMatchObject({
    attributes: { type: 'refused', message: 'already exists' },
    text: 'already exists\nhint: choose another name',
  })
})

test('one that was not sent is skipped', () => {
  const found = caseOf(row({ status: 'not_sent', message: 'valid, not sent' }))
  expect(child(found, 'skipped')?.attributes).toEqual({ message: 'valid, not sent' })
  expect(child(found, 'failure') ?? child(found, 'system-out')).toBeUndefined()
})

test('a warning of the run is a skipped test of its own, with its file if it has one', () => {
  const warnings = [
    problem({
      file: '<session>',
      line: undefined,
      severity: 'warning',
      rule: 'session-end',
      message: 'it ends',
      hint: 'do',
    }),
    problem({ file: 'cat/a.txt', line: undefined, severity: 'warning', rule: 'stray-file', message: 'no documents' }),
  ]
  const [suite] = parse(junitOf([row()], { name: 'vatom plan', seconds: 0, warnings, folder: 'sub' })).children
  expect(suite?.attributes).toMatchObject({ tests: '3', failures: '0', errors: '0', skipped: '2' })
  const [, session, stray] = suite?.children ?? []
  expect(session?.attributes).toEqual({ classname: 'vatom', name: '<session>: warning[session-end]: it ends' })
  expect(child(session, 'properties')?.children[0]?.attributes).toEqual({ name: 'status', value: 'warning' })
  expect(child(session, 'skipped')).toMatchObject({
    attributes: { message: 'it ends' },
    text: '<session>: warning[session-end]: it ends\n  hint: do',
  })
  expect(stray?.attributes).toMatchObject({
    name: 'cat/a.txt: warning[stray-file]: no documents',
    file: 'sub/cat/a.txt',
  })
})

test('what has no name is called as its file is; what has no file says none', () => {
  expect(caseOf(row({ name: '' }))?.attributes).toMatchObject({ name: 'a.yaml' })
  expect(caseOf(row({ file: null }))?.attributes).not.toHaveProperty('file')
  expect(caseOf(row({ file: null, name: '' }))?.attributes).toMatchObject({ name: 'template' })
})

test('it is well-formed whatever the texts hold, and keeps what XML can hold', () => {
  const nasty = ['', '<&>"\'', ']]>', '&amp;', '\u0000\u001b[31m', '\r\n\t', '\ufffe\uffff', '\ud800', '👍', '--><!--']
  const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(text, text, text, fc.constantFrom('failed', 'not_sent', 'created'), (name, message, hint, status) => {
      const failure = new Failure('usage', exit.refused, message, { hint })
      const xml = junitOf([row({ file: name, name, status, message, failure, problems: [problem({ hint })] })], {
        name,
        seconds: 0,
      })
      expect(parse(xml).children).toHaveLength(1)
    }),
  )
  const message = '<&>"\' ]]> &amp;\n\ta  b'
  expect(child(caseOf(row({ status: 'not_sent', message })), 'skipped')?.attributes.message).toBe(message)
  expect(child(caseOf(row({ message })), 'system-out')?.text).toBe(message)
  expect(child(caseOf(row({ message: '\u001b\r' })), 'system-out')?.text).toBe('\\u001b\\u000d')
})
