import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../src/documents/load/loaded.ts'
import { plain, type RenderOptions, render } from '../../../src/documents/report/render.ts'
import { ruleNotes } from '../../../src/documents/report/rule-notes.ts'
import { shortestTemplate } from '../../fixtures/yaml.ts'
import { loadFiles, loadText } from '../../support/loading.ts'

const root = 'https://repository.example/'
const isUri = (text: string) => URL.canParse(text)
const isReference = (text: string) => URL.canParse(text, root) && !/[\s<>"{}|\\^`]/.test(text)
const validate = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { uri: isUri, 'uri-reference': isReference, 'date-time': true, uuid: true },
}).compile(JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/sarif/schema-2.1.0.json'), 'utf8')))

/** A log, which is one as its schema says. */
function logOf(problems: readonly Problem[], options: Partial<RenderOptions> = {}) {
  const text = render('sarif', problems, { paint: plain, width: 80, sources: new Map(), ...options })
  const log = JSON.parse(text)
  validate(log)
  expect(validate.errors ?? []).toEqual([])
  return log
}
const runOf = (problems: readonly Problem[], options?: Partial<RenderOptions>) => logOf(problems, options).runs[0]
const uriOf = (problem: Problem, options?: Partial<RenderOptions>) =>
  runOf([problem], options).results[0].locations[0].physicalLocation.artifactLocation.uri

const whole: Problem = { file: 'a.yaml', rule: 'input', severity: 'error', path: '', message: 'm' }
const placed: Problem = {
  ...whole,
  line: 2,
  column: 1,
  endLine: 2,
  endColumn: 4,
  path: 'vatom.x',
  hint: 'h',
  spec: '2',
}

describe('a log is valid SARIF', () => {
  test('its schema refuses what is none', () => {
    expect(validate({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, result: [] }] })).toBe(false)
    expect(isReference('a b')).toBe(false)
  })

  test.each<[string, readonly Problem[]]>([
    ['no problems', []],
    ['one of a whole file', [whole]],
    ['one at a place, with a hint', [placed]],
    ['one over several lines', [{ ...placed, endLine: 9, endColumn: 1 }]],
    ['an empty place at the start', [{ ...placed, line: 1, endLine: 1, endColumn: 1 }]],
    ['control characters', [{ ...placed, message: '\u0000\u001b[31m\u202e\ud800', path: '\u0007', hint: '\n' }]],
    ['an error of the service', [{ ...whole, rule: 'name_taken' }]],
    ['every rule', ruleNotes.map(({ name, severity }) => ({ ...placed, rule: name, severity }))],
    ['thousands', Array.from({ length: 5000 }, (_, line) => ({ ...placed, line: line + 1, endLine: line + 1 }))],
  ])('of %s', (_name, problems) => {
    const { results } = runOf(problems, { version: '1.2.3', exitCode: 3, folder: 'shop' })
    expect(results).toHaveLength(problems.length)
  })

  test('of what real files have wrong with them', async () => {
    const wrong = {
      'a.yaml': shortestTemplate('titel: x'),
      'b.yaml': 'a: [',
      'c d.json': '{',
      'e.yaml': shortestTemplate('cloneable: on'),
    }
    const loaded = [await loadFiles(wrong), await loadText('\ufeff'), await loadFiles({}, 'template', ['nope', '-'])]
    expect(runOf(loaded.flatMap(({ problems }) => problems)).results.length).toBeGreaterThan(5)
  })
})

test.each([
  ['a b/c#1.yaml', 'a%20b/c%231.yaml'],
  ['../%41?.yaml', '../%2541%3F.yaml'],
  ['x:y.yaml', 'x%3Ay.yaml'],
  ['c:\\x\\ü.yaml', 'file:///c%3A/x/%C3%BC.yaml'],
  ['/x/日本.yaml', 'file:///x/%E6%97%A5%E6%9C%AC.yaml'],
  ['\u001b\ud800.yaml', '%1B%EF%BF%BD.yaml'],
  ['<stdin>', '%3Cstdin%3E'],
])('the file %j is named by a URI', (file, uri) => expect(uriOf({ ...whole, file })).toBe(uri))

test('a file is named from the root of the checkout', () => {
  expect(uriOf(whole, { folder: 'my shop/catalog' })).toBe('my%20shop/catalog/a.yaml')
  expect(uriOf({ ...whole, file: '../a.yaml' }, { folder: 'my shop/catalog' })).toBe('my%20shop/a.yaml')
  expect(uriOf({ ...whole, file: './a.yaml' })).toBe('a.yaml')
  expect(uriOf({ ...whole, file: '/x/a.yaml' }, { folder: 'shop' })).toBe('file:///x/a.yaml')
  expect(uriOf({ ...whole, file: '<stdin>' }, { folder: 'shop' })).toBe('%3Cstdin%3E')
})

test('a rule says what holds, where that is written, and what can be done about it', () => {
  const { tool } = runOf(['icon-face', 'yaml-boolean', 'name_taken'].map((rule) => ({ ...whole, rule })))
  const [icon, taken, boolean] = tool.driver.rules
  expect(icon).toMatchObject({
    id: 'icon-face',
    shortDescription: { text: expect.stringContaining('icon') },
    help: { text: expect.stringContaining('# vatom-ignore icon-face switches it off') },
    defaultConfiguration: { level: 'warning' },
    properties: { spec: expect.stringMatching(/^\d/) },
  })
  expect(boolean.help.text).toContain('--fix')
  expect(boolean.help.text).not.toContain('vatom-ignore')
  expect(taken).toMatchObject({ id: 'name_taken', shortDescription: { text: 'the error name_taken' } })
  for (const { fullDescription, help } of [icon, taken, boolean]) expect(fullDescription.text && help.text).toBeTruthy()
})

test('a result names its rule, its level, its place and its path', () => {
  const { results, tool } = runOf([{ ...placed, severity: 'warning' }, whole])
  expect(tool.driver.rules).toHaveLength(1)
  expect(results[0]).toMatchObject({
    ruleId: 'input',
    ruleIndex: 0,
    level: 'warning',
    message: { text: 'm\nh' },
    locations: [
      {
        physicalLocation: { region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 4 } },
        logicalLocations: [{ fullyQualifiedName: 'vatom.x' }],
      },
    ],
  })
  expect(results[1].locations[0]).toEqual({ physicalLocation: { artifactLocation: { uri: 'a.yaml' } } })
})

test('a problem keeps its fingerprint when its line moves; of two alike each has its own', () => {
  const prints = (problems: readonly Problem[]): string[] =>
    runOf(problems).results.map(
      (result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0],
    )
  const [one, other, third] = prints([placed, placed, { ...placed, message: 'x' }])
  expect(new Set([one, other, third]).size).toBe(3)
  expect(prints([{ ...placed, line: 40, endLine: 40 }])).toEqual([one])
})

test.each([
  [0, true],
  [3, true],
  [1, false],
  [6, false],
])('the invocation says the exit code %i, and whether the run did what it was asked to: %s', (exitCode, successful) => {
  const { invocations, tool } = runOf([], { exitCode, version: '1.2.3' })
  expect(invocations).toEqual([{ executionSuccessful: successful, exitCode }])
  expect(tool.driver).toMatchObject({ name: 'vatom', semanticVersion: '1.2.3' })
})
