import type { RuleNote } from '../../contract/rules/rule.ts'
import { didYouMean } from '../../contract/schema/suggest.ts'
import { ruleNotes, switchedOffBy } from '../../documents/report/rule-notes.ts'
import type { Context } from '../context.ts'
import type { Output } from '../io/output.ts'
import { tableLines } from '../io/table.ts'
import { defined, type Line, styled, wrapped } from '../io/text.ts'
import { factLines } from './explain-path.ts'

/** A rule as a row of JSON. */
const rowOf = (note: RuleNote, switchedOffBy: string | undefined) => ({
  name: note.name,
  severity: note.severity,
  spec: note.spec ?? null,
  summary: note.summary,
  fixes: note.fixes !== undefined,
  fixes_only: typeof note.fixes === 'string' ? note.fixes : null,
  switched_off_by: switchedOffBy ?? null,
})
type RuleRow = ReturnType<typeof rowOf>

/** Prints every rule that documents are checked against, and how to switch it off. */
export async function explainRules({ output }: Context): Promise<void> {
  const rows = ruleNotes.map((note) => rowOf(note, switchedOffBy(note)))
  await output.listing(rows, () =>
    output.isTTY ? groupLines(rows, output) : tableLines([], rows.map(cellsOf), output),
  )
}

/** Prints a rule; false if there is none of that name. */
export async function explainRule(name: string, { output }: Context): Promise<boolean> {
  const note = ruleNotes.find((one) => one.name === name)
  if (!note) return false
  const row = rowOf(note, switchedOffBy(note))
  await output.listing(row, () => [
    styled`${output.paint.bold(name)}`,
    ...wrapped(row.summary, output.columns),
    '',
    ...factLines(factsOf(row), output),
  ])
  return true
}

/** What there is to know of a rule besides its summary. */
const factsOf = ({ severity, spec, fixes, fixes_only: only, switched_off_by: comment }: RuleRow) => [
  ['severity', severity === 'error' ? 'error: the service would refuse the document' : severity] as const,
  ...(comment === null ? [] : [['switch off', `${comment}, on its own line or on the one above`] as const]),
  ...(fixes ? [['correct', `vatom validate FILE --fix${only === null ? '' : `, only ${only}`}`] as const] : []),
  ...(spec === null ? [] : [['spec', `${spec} (vatom help specification)`] as const]),
]

/** The hint at the rule that a name nearly is. Only names of rules have hyphens. */
export const nearRule = (name: string): string | undefined =>
  name.includes('-')
    ? didYouMean(
        name,
        ruleNotes.map((note) => note.name),
      )
    : undefined

const cellsOf = ({ name, severity, spec, fixes, switched_off_by, summary }: RuleRow) => [
  name,
  severity,
  spec ?? '',
  fixes ? '--fix' : '',
  switched_off_by ?? '',
  summary,
]

const groups: readonly { readonly head: string; readonly note: string; readonly has: (row: RuleRow) => boolean }[] = [
  {
    head: 'Errors',
    note: 'The service would refuse the document, so they cannot be switched off.',
    has: ({ severity }) => severity === 'error',
  },
  {
    head: 'Warnings',
    note: '# vatom-ignore RULE switches one off on its own line or on the next one; # vatom-ignore-file RULE at the top of a file switches it off in the whole file.',
    has: ({ switched_off_by }) => switched_off_by !== null,
  },
  {
    head: 'Warnings that no comment switches off',
    note: 'They are about folders, the service, the session, and such comments: each says what to do.',
    has: ({ severity, switched_off_by }) => severity === 'warning' && switched_off_by === null,
  },
]

const indent = 27

function groupLines(rows: readonly RuleRow[], { paint, columns }: Output): Line[] {
  return groups.flatMap(({ head, note, has }, index) => [
    ...(index ? [''] : []),
    styled`${paint.bold(head)}`,
    ...wrapped(note, columns),
    '',
    ...rows.filter(has).flatMap((row) => defined(row.name, meaningOf(row), indent, columns)),
  ])
}

function meaningOf({ summary, spec, fixes, fixes_only: only }: RuleRow): string {
  const facts = [...(spec === null ? [] : [`Spec ${spec}`]), ...(fixes ? [`--fix corrects ${only ?? 'it'}`] : [])]
  return facts.length === 0 ? summary : `${summary} (${facts.join('; ')})`
}
