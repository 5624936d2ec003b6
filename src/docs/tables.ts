import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureRows } from '../cli/explain/explain-failures.ts'
import { environment } from '../cli/manual/environment.ts'
import { exitCodes } from '../cli/manual/exit-codes.ts'
import { formatting } from '../cli/manual/formatting.ts'
import { operationCommands } from '../cli/manual/operation-commands.ts'
import { optionRows } from '../cli/manual/options.ts'
import { topics, words } from '../cli/words.ts'
import {
  assumptionTable,
  errorTable,
  markdownTable,
  notOfferedTable,
  operationTable,
  warningTable,
} from '../contract/derived/reference.ts'
import { standardActions } from '../contract/kinds/standard-actions.ts'
import { limitGroups } from '../contract/limits.ts'
import type { RuleNote } from '../contract/rules/rule.ts'
import { thousands } from '../contract/schema/wording.ts'
import { localReactors } from '../contract/values.ts'
import { ruleNotes, switchedOffBy } from '../documents/report/rule-notes.ts'

/** Makes a table from the code; `root` is the folder of the package. */
type Make = (root: string) => string

const code = (text: string) => `\`${text}\``

/** The generated tables of the pages, by the name in `<!-- table NAME -->`. */
export const tables: Readonly<Record<string, Make>> = {
  pages: () =>
    markdownTable(
      ['Page', 'About'],
      topics.map((name) => [`[${name}](${pathOf(name)})`, words[name].summary]),
    ),
  operations: () => operationTable(operationCommands),
  'not-offered': notOfferedTable,
  errors: errorTable,
  warnings: warningTable,
  assumptions: assumptionTable,
  'error-rules': () => ruleTable(({ severity }) => severity === 'error'),
  'warning-rules': () => ruleTable((note) => switchedOffBy(note) !== undefined),
  'lasting-warning-rules': () => ruleTable((note) => note.severity === 'warning' && switchedOffBy(note) === undefined),
  actions: actionTable,
  effects: () =>
    markdownTable(
      ['Action', 'What it does'],
      standardActions.map(({ name, does }) => [name, does]),
    ),
  ...Object.fromEntries(
    Object.entries(limitGroups).map(([subject, group]) => [
      `${subject}-limits`,
      (root: string) => limitTable(root, subject, group),
    ]),
  ),
  'exit-codes': () =>
    markdownTable(
      ['Code', 'Meaning'],
      exitCodes.map((row) => [row.code, row.meaning]),
    ),
  'failure-codes': () =>
    markdownTable(
      ['Code', 'Meaning', 'What to do'],
      failureRows.map((row) => [code(row.code), row.title, row.remedy]),
    ),
  options: () =>
    markdownTable(
      ['Option', 'Meaning'],
      optionRows().map(({ name, meaning }) => [code(name), meaning]),
    ),
  formatting: () =>
    markdownTable(
      ['What', 'Where and how'],
      formatting.map(({ name, meaning }) => [code(name), meaning]),
    ),
  ...Object.fromEntries(
    [...new Set(environment.map(({ group }) => group))].map((group) => [slug(group), () => environmentTable(group)]),
  ),
}

const pathOf = (page: string) => (page === 'contributing' ? '.github/CONTRIBUTING.md' : `src/docs/${page}.md`)

/** `Where files are` becomes `where-files-are`. */
function slug(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

const environmentTable = (wanted: string) =>
  markdownTable(
    ['Variable', 'Meaning'],
    environment.flatMap(({ group, name, meaning }) => (group === wanted ? [[code(name), meaning]] : [])),
  )

const ruleTable = (isWanted: (note: RuleNote) => boolean) =>
  markdownTable(
    ['Rule', 'What must hold', 'Spec', '--fix'],
    ruleNotes
      .filter(isWanted)
      .map(({ name, spec = '', summary, fixes }) => [
        code(name),
        summary,
        spec,
        fixes === true ? 'yes' : (fixes ?? ''),
      ]),
  )

function actionTable(): string {
  const here: readonly string[] = localReactors
  return markdownTable(
    ['Action', 'Reactor', 'By', 'On', 'Inputs', 'Final', 'Platform'],
    standardActions.map(({ name, reactor, by, on, inputs, isFinal }) => [
      name,
      code(reactor),
      by,
      on?.what ?? '',
      inputs.map(({ keys, required }) => `${keys.map(code).join(' or ')}${required ? '' : ' (optional)'}`).join(', '),
      isFinal ? 'yes' : '',
      here.includes(reactor) ? 'local only' : 'yes',
    ]),
  )
}

/** The comment of each limit says what it bounds. */
function limitTable(root: string, subject: string, group: Readonly<Record<string, number>>): string {
  const source = readFileSync(join(root, `src/contract/limits/${subject}.ts`), 'utf8')
  const comments = new Map(
    [...source.matchAll(/\/\*\* ((?:(?!\*\/).)+) \*\/\s+(\w+): \d/gs)].map(([, text = '', name = '']) => [
      name,
      text.replaceAll(/\s*\n\s*\*\s*/g, ' '),
    ]),
  )
  return markdownTable(
    ['What', 'Limit'],
    Object.entries(group).map(([name, value]) => [comments.get(name) ?? name, thousands(value)]),
  )
}
