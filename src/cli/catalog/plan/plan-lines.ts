import type { Difference } from '../../../contract/kinds/changes.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Output } from '../../io/output.ts'
import { type Line, styled } from '../../io/text.ts'
import { chargedLine, freeLine, privateAddressesText } from '../../kinds/confirmations.ts'
import { withAll } from '../../kinds/draft-contents.ts'
import { chargedSteps, planWritesOf } from './chain-charges.ts'
import { type Decision, draftsText, isWriting, type Plan, type Step } from './plan.ts'
import { takeoverCount, takeoverLines } from './takeovers.ts'
import { unlistedLines } from './unlisted-lines.ts'

/** How many documents and deletions a plan has, by what is done with them. */
export function countsOf(plan: Plan) {
  const { steps, deletions, unlisted } = plan
  const count = (decision: Decision) => steps.filter((step) => step.decision === decision).length
  return {
    create: count('create'),
    update: count('update'),
    unchanged: steps.filter(({ decision, publishes }) => decision === 'unchanged' && !publishes).length,
    refuse: [...steps, ...deletions].filter(({ refusal }) => refusal).length,
    publish: steps.filter(({ publishes }) => publishes).length,
    delete: deletions.filter(({ refusal }) => !refusal).length,
    take_over: takeoverCount(plan),
    unlisted: unlisted.length,
  }
}

export const boundary = 'Cannot be undone:'
export const publishBoundary = 'Cannot be undone, and is done only with --publish:'

/** A plan for people: what can be undone, what cannot, what is refused, and the total. Unchanged documents are only counted. */
export function planLines(plan: Plan, output: Paint): Line[] {
  const { written, final, offered, notes, refused } = planParts(plan, output)
  const titled = (title: string, lines: readonly Line[]) =>
    lines.length > 0 ? [styled`${output.paint.dim(title)}`, ...lines] : []
  return [
    ...written,
    ...titled(boundary, final),
    ...titled(publishBoundary, offered),
    ...notes,
    ...refused,
    styled`${output.paint.bold(headlineOf(plan))}`,
  ]
}

/** The lines of a plan by what they are about. */
export interface PlanParts {
  readonly written: readonly Line[]
  /** What cannot be undone. */
  readonly final: readonly Line[]
  /** What --publish would publish. */
  readonly offered: readonly Line[]
  /** What is written to chains, what changes its catalog, and what is in no file. */
  readonly notes: readonly Line[]
  readonly refused: readonly Line[]
}

export function planParts(plan: Plan, output: Paint): PlanParts {
  const refused = [
    ...plan.steps.map(({ document, refusal }) => ({ ...document, refusal })),
    ...plan.deletions.map((one) => ({ ...one, file: 'to delete' })),
  ].filter(({ refusal }) => refusal)
  const writing = plan.steps.filter(isWriting)
  const charged = chargedSteps(writing)
  const written = (some: readonly Step[]) => some.flatMap((step) => stepLines(step, output))
  const published = plan.steps.filter(({ publishes }) => publishes).flatMap((step) => publishLines(step, output))
  const final = [
    ...written(writing.filter((step) => charged.has(step))),
    ...plan.deletions
      .filter(({ refusal }) => !refusal)
      .map(({ kind, name, contents }) => styled`  ${output.paint.red('-')} ${kind} ${name}${withAll(contents)}`),
    ...(plan.needsPublish ? [] : published),
  ]
  return {
    written: written(writing.filter((step) => !charged.has(step))),
    final,
    offered: plan.needsPublish ? published : [],
    notes: [...chainLines(plan), ...takeoverLines(plan), ...unlistedLines(plan, output)],
    refused: refused.flatMap((one) => refusedLines(one, output)),
  }
}

type Paint = Pick<Output, 'paint' | 'hint'>

function stepLines({ document, record }: Step, { paint }: Paint): Line[] {
  const { kind, name, file } = document
  const sign = record ? paint.yellow('~') : paint.green('+')
  return [styled`  ${sign} ${kind} ${name} (${file})`, ...differenceLines(record?.changes.differences ?? [])]
}

interface Refused extends Pick<LoadedDocument, 'kind' | 'name' | 'file'>, Pick<Step, 'refusal'> {}

const refusedLines = ({ kind, name, file, refusal }: Refused, { paint, hint }: Paint): Line[] => [
  styled`  ${paint.red('x')} ${kind} ${name} (${file})`,
  styled`      refused: ${refusal?.message ?? ''}`,
  ...(refusal?.listed ?? []).map(({ message }) => styled`      and: ${message}`),
  ...(refusal?.hint === undefined ? [] : [styled`      ${paint.cyan('hint:')} ${hint(refusal.hint)}`]),
]

const publishLines = ({ document, privateAddresses, cautions }: Step, { paint }: Paint): Line[] => [
  styled`  ${paint.yellow('!')} publish ${document.kind} ${document.name}`,
  ...(privateAddresses > 0 ? [styled`      with ${privateAddressesText(privateAddresses)}`] : []),
  ...cautions.map(({ message }) => styled`      ${paint.yellow('warning:')} ${message}`),
]

/** Differences of one document that are shown at most. */
const shown = 20

/** A line for each of the first differences. */
export const differenceLines = (differences: readonly Difference[]): Line[] => [
  ...differences
    .slice(0, shown)
    .map(({ path, before, after }) => styled`      ${path}: ${valueText(before)} -> ${valueText(after)}`),
  ...(differences.length > shown ? [styled`      and ${differences.length - shown} more differences`] : []),
]

/** Characters of a value that are shown at most. */
const widest = 60

function valueText(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value)
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text
}

function chainLines(plan: Plan): Line[] {
  const { charged, free } = planWritesOf(plan)
  return [...(free.length > 0 ? [freeLine(free)] : []), ...(charged.length > 0 ? [chargedLine(charged)] : [])]
}

/** `Plan for 16 documents: 3 to create, 1 to change, 12 unchanged`. */
export function headlineOf(plan: Plan): string {
  const { create, update, unchanged, refuse, publish, delete: deleted, take_over } = countsOf(plan)
  const parts = [
    create > 0 && `${create} to create`,
    update > 0 && `${update} to change`,
    deleted > 0 && `${deleted} to delete`,
    publish > 0 && (plan.needsPublish ? `${publish} would be published with --publish` : `${publish} to publish`),
    take_over > 0 && `${take_over} to take over`,
    `${unchanged} unchanged`,
    refuse > 0 && `${refuse} refused`,
  ]
  const counts = parts.filter((part) => part !== false).join(', ')
  return `Plan for ${plural(plan.steps.length, 'document')}: ${counts}${draftsText(plan)}`
}
