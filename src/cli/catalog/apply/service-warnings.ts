import type { Warning, WarningCode } from '../../../contract/api/warnings.ts'
import { ruleName } from '../../../contract/rules/rule.ts'
import { at, stepsOf } from '../../../contract/schema/path.ts'
import type { Problem } from '../../../documents/load/loaded.ts'
import { isError } from '../../../documents/load/problems.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { ownRules, relatedRules } from '../../kinds/file-rules.ts'
import { invalidFailure } from '../../kinds/load-checked.ts'
import { problemLines } from '../../kinds/problems.ts'
import { placeIn, type Subject } from '../../kinds/send.ts'
import { isTemplate, type Plan } from '../plan/plan.ts'

/** Warnings of the service about a subject, as problems of its document. */
export type AsProblems = (subject: Subject, warnings: readonly Warning[]) => readonly Problem[]

/**
 * Makes problems of warnings that still apply once all of a plan is carried out. What the files show is reported when
 * they are read, and whether their documents fit each other, too.
 */
export function lastingProblems({ steps, deletions }: Plan): AsProblems {
  const changed = new Set(steps.flatMap(({ document, record }) => [document.name, record?.key]))
  const deleted = new Set(deletions.map(({ key }) => key))
  const templates = new Set<unknown>(steps.flatMap(({ document }) => (isTemplate(document) ? document.name : [])))
  const isMended = ({ code, about }: Warning) =>
    about !== undefined && (changed.has(about) || (deleted.has(about) && code !== missingVariation))
  const missing = missingChildren(steps)
  const isInFiles = ({ document }: Subject, { code, about }: Warning) =>
    about === undefined
      ? ownRules.has(code) || (relatedRules.has(code) && templates.has(document?.value.template))
      : code === missingVariation && missing.has(about)
  const isFound = ({ problems }: Subject, { code, path }: Warning) =>
    code === missingAction && problems.some((one) => one.rule === 'action-missing' && one.path === path)
  return (subject, warnings) => {
    const lasting = warnings.filter((one) => !isMended(one) && !isInFiles(subject, one) && !isFound(subject, one))
    if (lasting.every(({ code }) => code === more)) return []
    return lasting
      .map((one) => problemOf(subject, one))
      .filter((one) => !subject.problems.some((it) => isAlike(it, one)))
  }
}

/** The variations that files name in a child_policy and do not have, which is reported where it stands. */
const missingChildren = (steps: Plan['steps']) =>
  new Set(
    steps.flatMap(({ document: { problems, value } }) =>
      problems.filter(({ rule }) => childRules.includes(rule)).map(({ path }) => at(value, ...stepsOf(path, value))),
    ),
  )

const childRules: readonly string[] = ['child-name', 'child-missing', 'child-publisher']
const missingAction: WarningCode = 'missing-action'
const missingVariation: WarningCode = 'missing-variation'
const more: WarningCode = 'more'

const isAlike = (one: Problem, other: Problem) =>
  one.rule === other.rule && one.path === other.path && one.message === other.message

const problemOf = ({ file, document }: Subject, { code, path, message }: Warning): Problem => ({
  file: file ?? '<service>',
  ...(document && placeIn(document, path)),
  rule: ruleName.test(code) ? code : 'warning',
  severity: 'warning',
  path,
  message,
})

/** A plan whose documents and deletions have the warnings among problems, which are in the order of `outcomeRows`. */
export function withWarnings(plan: Plan, problems: readonly (readonly Problem[])[]): Plan {
  const { steps, deletions } = plan
  const warningsAt = (index: number) => (problems[index] ?? []).filter((one) => !isError(one))
  return {
    ...plan,
    steps: steps.map((step, index) => ({ ...step, document: { ...step.document, problems: warningsAt(index) } })),
    deletions: deletions.map((one, index) => ({ ...one, warnings: warningsAt(steps.length + index) })),
  }
}

/** All warnings of a plan: those found in its files, and those of the service. */
export const warningsOf = ({ steps, deletions }: Plan): Problem[] => [
  ...steps.flatMap(({ document }) => document.problems),
  ...deletions.flatMap(({ warnings }) => warnings ?? []),
]

/** Prints those warnings among problems that were not printed yet. */
export async function printNew(
  problems: readonly Problem[],
  known: Plan,
  { output }: Pick<Context, 'output'>,
): Promise<void> {
  const before = new Set(warningsOf(known))
  const sources = new Map(known.steps.map(({ document: { file, text } }) => [file, text]))
  const found = problems.filter((one) => !isError(one) && !before.has(one))
  output.complain(await problemLines({ problems: found, sources }, output))
}

/** Why a plan is not carried out that has more warnings than it may have; `others` are those of no document. */
export const tooManyWarnings = (
  plan: Plan,
  maxWarnings: number | undefined,
  others: readonly Problem[] = [],
): Promise<Failure | undefined> =>
  invalidFailure(
    { problems: [...new Set([...others, ...warningsOf(plan)])] },
    {
      consequence: '; nothing was sent',
      maxWarnings,
    },
  )

/** Why a run fails that did all it should: that has more warnings than it may have. */
export async function warningsFailure(
  problems: readonly Problem[],
  maxWarnings: number | undefined,
): Promise<Failure | undefined> {
  const found = await invalidFailure(
    { problems: [...new Set(problems)] },
    { consequence: '; everything was sent', maxWarnings },
  )
  return found && new Failure(found.code, exit.partial, found.message, found)
}
