import { plural } from '../../../contract/schema/wording.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Output } from '../../io/output.ts'
import { type Line, styled } from '../../io/text.ts'
import { cautionText } from '../../kinds/cautions.ts'
import { chainWritesOf } from '../../kinds/chain-changes.ts'
import { chargedLine, freeLine, privateAddressesText } from '../../kinds/confirmations.ts'
import { differenceLines } from '../../kinds/difference-lines.ts'
import { withAll } from '../../kinds/draft-contents.ts'
import { followingLines } from '../../kinds/following-lines.ts'
import { contractText, isChargedStep, makesContractFinal, planWritesOf } from './chain-charges.ts'
import { type Decision, draftsText, isPublishing, isWithheld, isWriting, type Plan, type Step } from './plan.ts'
import { labelCount, labelLines, takeoverCount, takeoverLines } from './takeovers.ts'
import { unlistedLines } from './unlisted-lines.ts'

/**
 * How many documents and deletions a plan has, by what is done with them: those that it creates, changes, only publishes,
 * leaves unchanged, deletes and refuses add up to all. `publish` counts all that it publishes, written before or not.
 */
export function countsOf(plan: Plan) {
  const { steps, deletions, unlisted } = plan
  const count = (decision: Decision) => steps.filter((step) => step.decision === decision).length
  const published = steps.filter((step) => isPublishing(plan, step))
  const publishOnly = published.filter((step) => !isWriting(step)).length
  return {
    create: count('create'),
    update: count('update'),
    publish_only: publishOnly,
    unchanged: count('unchanged') - publishOnly,
    refuse: [...steps, ...deletions].filter(({ refusal }) => refusal).length,
    publish: published.length,
    withheld: steps.filter((step) => isWithheld(plan, step)).length,
    delete: deletions.filter(({ refusal }) => !refusal).length,
    take_over: takeoverCount(plan),
    unlabelled: labelCount(plan),
    unlisted: unlisted.length,
  }
}

export const boundary = 'Cannot be undone:'
export const publishBoundary = 'Cannot be undone, and is done only with --publish, or typed when apply asks:'

/**
 * A plan for people: what can be undone, notes, what is refused, and the total. What cannot be undone is last, directly
 * above the question. Unchanged documents are only counted.
 */
export function planLines(plan: Plan, output: Paint): Line[] {
  const { written, final, offered, notes, refused } = planParts(plan, output)
  const titled = (title: string, lines: readonly Line[]) =>
    lines.length > 0 ? [styled`${output.paint.dim(title)}`, ...lines] : []
  return [
    ...written,
    ...notes,
    ...refused,
    ...titled(boundary, final),
    ...titled(publishBoundary, offered),
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
  const charged = writing.filter(isChargedStep)
  const written = (some: readonly Step[]) => some.flatMap((step) => stepLines(step, output))
  const published = plan.steps.filter(({ publishes }) => publishes).flatMap((step) => publishLines(step, output))
  const final = [
    ...charged.flatMap((step) => [...stepLines(step, output), chargeLine(step)]),
    ...plan.deletions
      .filter(({ refusal }) => !refusal)
      .map(({ kind, name, contents }) => styled`  ${output.paint.red('-')} ${kind} ${name}${withAll(contents)}`),
    ...(plan.needsPublish ? [] : published),
  ]
  return {
    written: written(writing.filter((step) => !isChargedStep(step))),
    final,
    offered: plan.needsPublish ? published : [],
    notes: [...chainLines(plan), ...takeoverLines(plan), ...labelLines(plan), ...unlistedLines(plan, output)],
    refused: refused.flatMap((one) => refusedLines(one, output)),
  }
}

type Paint = Pick<Output, 'paint' | 'hint'>

function stepLines(step: Step, { paint }: Paint): Line[] {
  const { kind, name, file } = step.document
  const sign = step.record ? paint.yellow('~') : paint.green('+')
  return [styled`  ${sign} ${kind} ${name} (${file})`, ...changeLines(step)]
}

/** What changes with a document. */
const changeLines = ({ record, followers }: Step): Line[] => [
  ...differenceLines(record?.changes.differences ?? []),
  ...followingLines(followers),
]

const chargeLine = ({ chain }: Step): Line => styled`      ${chargedLine(chainWritesOf(chain).charged)}`

/** All that a plan says of a document below its name. */
export const detailLines = (step: Step, output: Paint): Line[] => [
  ...changeLines(step),
  ...(isWriting(step) && isChargedStep(step) ? [chargeLine(step)] : []),
  ...(step.publishes ? publicationLines(step, output) : []),
]

interface Refused extends Pick<LoadedDocument, 'kind' | 'name' | 'file'>, Pick<Step, 'refusal'> {}

const refusedLines = ({ kind, name, file, refusal }: Refused, { paint, hint }: Paint): Line[] => [
  styled`  ${paint.red('x')} ${kind} ${name} (${file})`,
  styled`      refused: ${refusal?.message ?? ''}`,
  ...(refusal?.listed ?? []).map(({ message }) => styled`      and: ${message}`),
  ...(refusal?.hint === undefined ? [] : [styled`      ${paint.cyan('hint:')} ${hint(refusal.hint)}`]),
]

const publishLines = (step: Step, output: Paint): Line[] => [
  styled`  ${output.paint.yellow('!')} publish ${step.document.kind} ${step.document.name}`,
  ...publicationLines(step, output),
]

/** What is to be known before a document is published. */
function publicationLines(step: Step, { paint }: Paint): Line[] {
  const { privateAddresses, cautions } = step
  return [
    ...(makesContractFinal(step) ? [styled`      ${contractText}`] : []),
    ...(privateAddresses > 0 ? [styled`      with ${privateAddressesText(privateAddresses)}`] : []),
    ...cautions.map((one) => styled`      ${paint.yellow('warning:')} ${cautionText(one)}`),
  ]
}

function chainLines(plan: Plan): Line[] {
  const { charged, free } = planWritesOf(plan)
  return [...(free.length > 0 ? [freeLine(free)] : []), ...(charged.length > 0 ? [chargedLine(charged)] : [])]
}

/**
 * `Plan for 27 documents: 2 to create, 1 to change and publish, 24 unchanged; 3 to delete`. Each document is counted once;
 * what is about records follows behind semicolons.
 */
export function headlineOf(plan: Plan): string {
  const { steps, deletions } = plan
  const isRefused = ({ refusal }: Pick<Step, 'refusal'>) => refusal !== undefined
  const count = (decision: Decision, publishes: boolean) =>
    steps.filter((step) => step.decision === decision && isPublishing(plan, step) === publishes).length
  const documents = [
    ...some(count('create', false), 'to create'),
    ...some(count('create', true), 'to create and publish'),
    ...some(count('update', false), 'to change'),
    ...some(count('update', true), 'to change and publish'),
    ...some(count('unchanged', true), 'to publish'),
    `${count('unchanged', false)} unchanged`,
    ...some(steps.filter(isRefused).length, 'refused'),
  ]
  const { delete: deleted, take_over: takenOver, unlabelled } = countsOf(plan)
  const offered = plan.needsPublish ? steps.filter(({ publishes }) => publishes).length : 0
  const records = [
    ...some(deleted, 'to delete'),
    ...some(deletions.filter(isRefused).length, 'that cannot be deleted'),
    ...some(takenOver, 'to take over'),
    ...some(unlabelled, 'whose catalog is to be recorded'),
    ...some(offered, 'would be published with --publish'),
  ]
  const parts = [documents.join(', '), ...records].join('; ')
  return `Plan for ${plural(steps.length, 'document')}: ${parts}${draftsText(plan)}`
}

const some = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : [])
