import type { Difference } from '../../../documents/changes.ts'
import { problemRow } from '../../../documents/report/json.ts'
import { failureJson } from '../../failure/report.ts'
import type { Output } from '../../io/output.ts'
import { type Line, styled } from '../../io/text.ts'
import { counted, plural } from '../../kinds/gate.ts'
import type { Row } from '../../kinds/results.ts'
import { subjectOf } from '../../kinds/send.ts'
import { isWriting, lateSteps } from '../apply/stages.ts'
import { deletionSubject } from '../apply/tasks.ts'
import { writesOf } from './chain-charges.ts'
import type { Plan, Step } from './compare.ts'
import { prospect, prospects, refusedRow } from './plan-rows.ts'

/** How many documents a plan is about, by what is done with them. */
export function countsOf({ steps, deletions }: Plan) {
  const count = (deed: Step['deed']) => steps.filter((step) => step.deed === deed).length
  return {
    total: steps.length,
    ok: steps.length - count('refuse'),
    failed: count('refuse'),
    create: count('create'),
    update: count('update'),
    unchanged: steps.filter(({ deed, publishes }) => deed === 'unchanged' && !publishes).length,
    refuse: count('refuse'),
    publish: steps.filter(({ publishes }) => publishes).length,
    delete: deletions.length,
  }
}

/** A plan as `--json` prints it. */
export const planJson = (plan: Plan) => ({
  results: [
    ...plan.steps.map((step) => ({
      ...rowJson(refusedRow(step) ?? { ...subjectOf(step.document), ...prospect(step) }),
      action: step.deed,
      publishes: step.publishes,
      changes: step.standing?.changes.differences ?? [],
      alike: step.standing?.alike ?? [],
      ...(step.refusal && { error: failureJson(step.refusal) }),
    })),
    ...plan.deletions.map((deletion) => ({
      ...rowJson({ ...deletionSubject(deletion), ...prospects.delete }),
      action: 'delete',
      publishes: false,
      changes: [],
      alike: [],
    })),
  ],
  dry_run: true,
  summary: countsOf(plan),
  chain_writes: { charged: writesOf(plan).charged.length, free: writesOf(plan).free.length },
})

const rowJson = ({ file, kind, name, status, would, message, problems }: Row) => ({
  file,
  kind,
  name,
  status,
  would,
  message,
  problems: problems.map(problemRow),
})

/** What cannot be taken back comes after it. */
export const boundary = '-- what follows cannot be undone --'

/** A plan for people: what can be taken back, a line, and what cannot. What does not change is only counted. */
export function planLines(plan: Plan, output: Pick<Output, 'paint'>): Line[] {
  const refused = plan.steps.filter(({ deed }) => deed === 'refuse')
  const writing = plan.steps.filter(isWriting)
  const late = lateSteps(writing)
  const written = (some: readonly Step[]) => some.flatMap((step) => stepLines(step, output))
  const final = [
    ...written(writing.filter((step) => late.has(step))),
    ...plan.deletions.map(({ kind, name }) => styled`  ${output.paint.red('-')} ${kind} ${name}`),
    ...plan.steps.filter(({ publishes }) => publishes).map((step) => publishLine(step, output)),
  ]
  return [
    ...refused.flatMap((step) => refusedLines(step, output)),
    ...written(writing.filter((step) => !late.has(step))),
    ...(final.length > 0 ? [styled`${output.paint.dim(boundary)}`, ...final] : []),
    ...chainLines(plan),
    styled`${output.paint.bold(headlineOf(plan))}`,
  ]
}

/** Says which faces stand beside one of the catalog for the same viewers, and stay there. */
export function tellAlike({ steps, deletions }: Plan, output: Output): void {
  const deleted = new Set(deletions.map(({ key }) => key))
  const templates = new Set(steps.map(({ document }) => (document.kind === 'template' ? document.name : undefined)))
  for (const { document, standing } of steps) {
    const alike = (standing?.alike ?? []).filter((id) => !deleted.has(id))
    const ids = alike.join(', ')
    const way = templates.has(String(document.value.template))
      ? '--prune deletes'
      : `vatom face delete ${alike.join(' ')} deletes`
    if (standing && alike.length > 0)
      output.warn(
        styled`face ${document.name}: ${standing.key} has ${plural(alike.length, 'double')} for the same viewers on the service, ${ids}; ${way} ${alike.length === 1 ? 'it' : 'them'}`,
      )
  }
}

type Paint = Pick<Output, 'paint'>

function stepLines({ document, standing }: Step, { paint }: Paint): Line[] {
  const { kind, name, file } = document
  const sign = standing ? paint.yellow('~') : paint.green('+')
  return [styled`  ${sign} ${kind} ${name} (${file})`, ...differenceLines(standing?.changes.differences ?? [])]
}

const refusedLines = ({ document, refusal }: Step, { paint }: Paint): Line[] => [
  styled`  ${paint.red('x')} ${document.kind} ${document.name} (${document.file})`,
  styled`      refused: ${refusal?.message ?? ''}`,
  ...(refusal?.hint === undefined ? [] : [styled`      ${paint.cyan('hint:')} ${refusal.hint}`]),
]

const publishLine = ({ document }: Step, { paint }: Paint) =>
  styled`  ${paint.yellow('!')} publish ${document.kind} ${document.name}`

/** Differences of one document that are shown. */
const shown = 20

const differenceLines = (differences: readonly Difference[]): Line[] => [
  ...differences
    .slice(0, shown)
    .map(({ path, before, after }) => styled`      ${path}: ${valueText(before)} -> ${valueText(after)}`),
  ...(differences.length > shown ? [styled`      and ${differences.length - shown} more places`] : []),
]

const widest = 60

function valueText(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value)
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text
}

function chainLines(plan: Plan): Line[] {
  const { charged, free } = writesOf(plan)
  return [
    ...(free.length > 0 ? [styled`eth on testnet: ${counted(free)}, free of charge`] : []),
    ...(charged.length > 0 ? [styled`eth on mainnet: ${counted(charged)} will be charged`] : []),
  ]
}

/** `Plan for 16 documents: 3 to create, 1 to change, 12 unchanged`. */
export function headlineOf(plan: Plan): string {
  const { create, update, unchanged, refuse, publish, delete: deleted } = countsOf(plan)
  const parts = [
    create > 0 && `${create} to create`,
    update > 0 && `${update} to change`,
    deleted > 0 && `${deleted} to delete`,
    publish > 0 && `${publish} to publish`,
    `${unchanged} unchanged`,
    refuse > 0 && `${refuse} refused`,
  ]
  return `Plan for ${plural(plan.steps.length, 'document')}: ${parts.filter((part) => part !== false).join(', ')}`
}
