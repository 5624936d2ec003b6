import { catalogRules, relatedNotes } from '../../contract/rules/catalog-rules.ts'
import { didYouMean } from '../../contract/schema/suggest.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import type { LoadedDocument, Problem } from '../load/loaded.ts'
import { isError } from '../load/problems.ts'
import { type Candidate, ownCandidates, type ReadFile } from '../load/read-file.ts'
import type { Related } from '../load/related.ts'
import { ruleNotes, switchedOffBy } from '../report/rule-notes.ts'
import { type IgnoreComment, type Ignored, ignoreComments, namesIn } from './ignore-comments.ts'

interface Run {
  /** The wanted kind of document; all kinds without one. */
  readonly noun: KindName | undefined
  readonly related: Related
}

/**
 * A file's documents without the warnings that its comments switch off, and with the problems of those comments. Errors
 * cannot be switched off: the service would refuse the document.
 */
export function withoutIgnored(
  file: ReadFile,
  documents: readonly LoadedDocument[],
  run: Run,
): readonly LoadedDocument[] {
  const comments = ignoreComments(file.source)
  if (comments.length === 0) return documents
  const used = new Set<Ignored>()
  const remaining = documents.map((document) => ({
    ...document,
    problems: document.problems.filter((problem) => !isSwitchedOff(problem, comments, used)),
  }))
  const own = ownCandidates(file, run.noun)
  const found = comments.flatMap((comment) => {
    const owners = ownersOf(comment, file)
    const index = own.findIndex((candidate) => owners.includes(candidate))
    const isComplete = owners.every((one) => isChecked(one, own, remaining))
    const faults = faultsOf(comment, used, {
      isComplete,
      hasRelated: owners.some((one) => hasRelated(one, run.related)),
      line: comment.line,
      problems: remaining.flatMap(({ problems }) => problems),
    })
    return faults.map((fault) => ({ index, problem: problemOf(file.source, fault) }))
  })
  return remaining.map((document, index) => ({
    ...document,
    problems: [...document.problems, ...found.filter((one) => one.index === index).map(({ problem }) => problem)],
  }))
}

/** Whether a comment switches a warning off; adds the parts that do to `used`. */
function isSwitchedOff(problem: Problem, comments: readonly IgnoreComment[], used: Set<Ignored>) {
  if (isError(problem)) return false
  const matching = comments.flatMap((comment) => namesIn(comment, problem))
  for (const ignored of matching) used.add(ignored)
  return matching.length > 0
}

/** The documents that a comment applies to. */
function ownersOf({ line }: IgnoreComment, { candidates, source }: ReadFile): readonly Candidate[] {
  if (line === undefined) return candidates
  const before = candidates.filter(({ raw }) => source.span(...raw.range([])).line <= line)
  return [before.at(-1) ?? candidates[0]].filter((one) => one !== undefined)
}

/** Whether a document was checked completely, which one with errors is not. */
const isChecked = (one: Candidate, own: readonly Candidate[], documents: readonly LoadedDocument[]) =>
  documents[own.indexOf(one)]?.valid === true

/** Whether other documents of the same template are loaded, too. */
function hasRelated(candidate: Candidate, { catalog, memberOf }: Related): boolean {
  const { template } = memberOf(candidate)
  if (template === undefined || !catalog.names('template').has(template)) return false
  return kinds.reduce((count, kind) => count + catalog.of(template, kind).length, 0) > 1
}

interface Circumstances {
  readonly isComplete: boolean
  readonly hasRelated: boolean
  /** The line that the comment applies to, if not the whole file. */
  readonly line: number | undefined
  /** The lines of the problems that are left, each with its rule. */
  readonly problems: readonly Pick<Problem, 'rule' | 'line'>[]
}

function faultsOf(
  { rules, range, misplaced }: IgnoreComment,
  used: ReadonlySet<Ignored>,
  circumstances: Circumstances,
): Finding[] {
  if (misplaced)
    return [
      fault(
        { range },
        'vatom-ignore-file has an effect only above the first document',
        'move it to the top of the file',
      ),
    ]
  if (rules.length === 0)
    return [fault({ range }, 'vatom-ignore names no rule', 'write the name of the rule: # vatom-ignore icon-face')]
  const unused = rules.filter((ignored) => !used.has(ignored)).slice(0, mostUnused)
  return unused.flatMap((ignored) => ruleFault(ignored, circumstances))
}

/** Rules of one comment that are found fault with: there are not many times as many. */
const mostUnused = 100

/** A rule that is checked only on demand, so that its comments may be of use although nothing was found. */
const onDemand = 'probe'
const needRelated: ReadonlySet<string> = new Set([...catalogRules, ...relatedNotes].map(({ name }) => name))

function ruleFault(ignored: Ignored, { isComplete, hasRelated, line, problems }: Circumstances): Finding[] {
  const { rule } = ignored
  const note = ruleNotes.find(({ name }) => name === rule)
  if (note === undefined) {
    const names = ruleNotes.map(({ name }) => name)
    return [
      fault(
        ignored,
        `there is no rule ${rule}`,
        didYouMean(rule, names) ?? 'each problem shows the name of its rule: warning[name]',
      ),
    ]
  }
  if (note.severity === 'error')
    return [fault(ignored, `${rule} cannot be switched off: the service would refuse the document`)]
  if (switchedOffBy(note) === undefined) return [fault(ignored, `${rule} cannot be switched off by a comment`)]
  if (rule === onDemand || !isComplete || (needRelated.has(rule) && !hasRelated)) return []
  const elsewhere = problems.find((problem) => problem.rule === rule)?.line
  const where = line === undefined ? 'in this file' : `on line ${line}, to which the comment applies`
  const hint = elsewhere === undefined ? 'remove the comment' : `move it to line ${elsewhere}, or above it`
  return [{ ...fault(ignored, `${rule} finds no problem ${where}`, hint), rule: 'ignore-unused' }]
}

const fault = ({ range }: Pick<Ignored, 'range'>, message: string, hint?: string): Finding =>
  finding('ignore', message, { severity: 'warning', range, ...(hint !== undefined && { hint }) })
