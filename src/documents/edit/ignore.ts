import { catalogRules, relatedNotes } from '../../contract/rules/catalog-rules.ts'
import { didYouMean } from '../../contract/schema/suggest.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import type { LoadedDocument, Problem } from '../load/loaded.ts'
import { type Candidate, ownCandidates, type ReadFile } from '../load/read-file.ts'
import type { Related } from '../load/related.ts'
import { ruleNotes } from '../report/rule-notes.ts'
import { type IgnoreComment, type Ignored, ignoreComments, namesIn } from './ignore-comments.ts'

interface Run {
  /** The kind of document that is wanted; all are without one. */
  readonly noun: KindName | undefined
  readonly related: Related
}

/**
 * A file's documents of the noun without the warnings that its comments switch off, and with what is wrong with those
 * comments. Errors stay: the service would refuse what has one.
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
    const isComplete = owners.every((one) => isJudged(one, own, remaining))
    const faults = faultsOf(comment, used, {
      isComplete,
      hasCompany: owners.some((one) => hasCompany(one, run.related)),
    })
    return faults.map((fault) => ({ index, problem: problemOf(file.source, fault) }))
  })
  return remaining.map((document, index) => ({
    ...document,
    problems: [...document.problems, ...found.filter((one) => one.index === index).map(({ problem }) => problem)],
  }))
}

/** Whether a comment switches a warning off; notes which one does. */
function isSwitchedOff(problem: Problem, comments: readonly IgnoreComment[], used: Set<Ignored>) {
  if (problem.severity === 'error') return false
  const matching = comments.flatMap((comment) => namesIn(comment, problem))
  for (const ignored of matching) used.add(ignored)
  return matching.length > 0
}

/** The documents that a comment is about. */
function ownersOf({ line }: IgnoreComment, { candidates, source }: ReadFile): readonly Candidate[] {
  if (line === undefined) return candidates
  const before = candidates.filter(({ raw }) => source.span(...raw.range([])).line <= line)
  return [before.at(-1) ?? candidates[0]].filter((one) => one !== undefined)
}

/** Whether all that can be found in a document was looked for. */
const isJudged = (one: Candidate, own: readonly Candidate[], documents: readonly LoadedDocument[]) =>
  documents[own.indexOf(one)]?.valid === true

/** Whether documents that one is checked against are loaded, too. */
function hasCompany(candidate: Candidate, { catalog, memberOf }: Related): boolean {
  const { template } = memberOf(candidate)
  if (template === undefined || !catalog.names('template').has(template)) return false
  return kinds.reduce((count, kind) => count + catalog.of(template, kind).length, 0) > 1
}

interface Judged {
  readonly isComplete: boolean
  readonly hasCompany: boolean
}

function faultsOf({ rules, range, misplaced }: IgnoreComment, used: ReadonlySet<Ignored>, judged: Judged): Finding[] {
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
  return rules.filter((ignored) => !used.has(ignored)).flatMap((ignored) => ruleFault(ignored, judged))
}

/** A rule that is checked only on demand, so that it is unknown whether a comment is of use. */
const onDemand = 'probe'
const needCompany: ReadonlySet<string> = new Set([...catalogRules, ...relatedNotes].map(({ name }) => name))

function ruleFault(ignored: Ignored, { isComplete, hasCompany }: Judged): Finding[] {
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
  if (rule === onDemand || !isComplete || (needCompany.has(rule) && !hasCompany)) return []
  return [{ ...fault(ignored, `${rule} finds no problem here`, 'remove the comment'), rule: 'ignore-unused' }]
}

const fault = ({ range }: Pick<Ignored, 'range'>, message: string, hint?: string): Finding =>
  finding('ignore', message, { severity: 'warning', range, ...(hint !== undefined && { hint }) })
