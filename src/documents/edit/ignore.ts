import { limits } from '../../contract/limits.ts'
import { catalogRules, relatedNotes } from '../../contract/rules/catalog-rules.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { didYouMean } from '../../contract/schema/suggest.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import type { LoadedDocument, Problem } from '../load/loaded.ts'
import { isError } from '../load/problems.ts'
import { type Candidate, ownCandidates, type ReadFile } from '../load/read-file.ts'
import type { Related } from '../load/related.ts'
import { ruleNotes, switchedOffBy } from '../report/rule-notes.ts'
import { lastUpTo } from '../yaml/source.ts'
import {
  type IgnoreComment,
  type Ignored,
  ignoreComments,
  switchesFor,
  switchesOf,
  switchOf,
} from './ignore-comments.ts'

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
  const { remaining, used } = switchedOff(documents, switchesOf(comments))
  const found = groupBy(commentProblems(file, comments, { remaining, used, run }), ({ index }) => index)
  return remaining.map((document, index) => ({
    ...document,
    problems: [...document.problems, ...(found.get(index) ?? []).map(({ problem }) => problem)],
  }))
}

/** Documents without the warnings that are switched off, and what switches them off. */
function switchedOff(documents: readonly LoadedDocument[], switches: ReadonlySet<string>) {
  const used = new Set<string>()
  const stays = (problem: Problem) => {
    const matching = isError(problem) ? [] : switchesFor(problem, switches)
    for (const one of matching) used.add(one)
    return matching.length === 0
  }
  const remaining = documents.map((document) => ({ ...document, problems: document.problems.filter(stays) }))
  return { remaining, used }
}

interface Checked {
  readonly remaining: readonly LoadedDocument[]
  readonly used: ReadonlySet<string>
  readonly run: Run
}

/** The problems of comments, each with the index of the document at which it is reported. */
function commentProblems(file: ReadFile, comments: readonly IgnoreComment[], { remaining, used, run }: Checked) {
  const ownersOf = ownersIn(file, remaining, run)
  const lines = firstLines(remaining.flatMap(({ problems }) => problems))
  const found: { readonly index: number; readonly problem: Problem }[] = []
  for (const comment of comments) {
    const { index, ...owners } = ownersOf(comment)
    if (index < 0) continue
    for (const fault of faultsOf(comment, used, { ...owners, lines, line: comment.line })) {
      const isTooMany = found.length === limits.problems
      found.push({ index, problem: problemOf(file.source, isTooMany ? tooMany(fault) : fault) })
      if (isTooMany) return found
    }
  }
  return found
}

const tooMany = ({ range }: Finding): Finding =>
  finding(
    'too-many',
    `more than ${limits.problems} problems of vatom-ignore comments in this file: the rest is not shown`,
    {
      severity: 'warning',
      ...(range && { range }),
    },
  )

/** The line of the first problem of each rule. */
function firstLines(problems: readonly Problem[]): Circumstances['lines'] {
  const lines = new Map<string, number | undefined>()
  for (const { rule, line } of problems) if (!lines.has(rule)) lines.set(rule, line)
  return lines
}

/** What is known of the documents that a comment applies to. */
interface Owners extends Pick<Circumstances, 'isComplete' | 'hasRelated'> {
  /** Index of the first; below 0 where none was checked. */
  readonly index: number
}

/** Finds the documents that a comment applies to: the one that its line is in, or all of the file. */
function ownersIn(file: ReadFile, documents: readonly LoadedDocument[], run: Run): (one: IgnoreComment) => Owners {
  const { candidates } = file
  const own = ownCandidates(file, run.noun)
  const indexes = new Map(own.map((candidate, index) => [candidate, index]))
  const begin = beginnings(file)
  const indexOf = (candidate: Candidate) => indexes.get(candidate) ?? -1
  const describe = (owners: readonly Candidate[]): Owners => ({
    index: owners.map(indexOf).find((index) => index >= 0) ?? -1,
    isComplete: owners.every((one) => documents[indexOf(one)]?.valid === true),
    hasRelated: owners.some((one) => hasRelated(one, run.related)),
  })
  const known = new Map<number | undefined, Owners>()
  return ({ line }) => {
    const at = line === undefined ? undefined : lastUpTo(begin, line)
    const found = known.get(at) ?? describe(at === undefined ? candidates : candidates.slice(at, at + 1))
    known.set(at, found)
    return found
  }
}

/** The lines in which the documents of a file begin; one that could not be read begins where the one before it does. */
function beginnings({ candidates, source }: ReadFile): number[] {
  let last = 0
  return candidates.map(({ raw }) => {
    last = Math.max(last, source.span(...raw.range([])).line)
    return last
  })
}

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
  /** The line of the first problem that is left, by its rule. */
  readonly lines: ReadonlyMap<string, number | undefined>
}

function faultsOf(
  { rules, range, line, misplaced }: IgnoreComment,
  used: ReadonlySet<string>,
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
  const unused = rules.filter(({ rule }) => !used.has(switchOf(rule, line))).slice(0, mostUnused)
  return unused.flatMap((ignored) => ruleFault(ignored, circumstances))
}

/** Rules of one comment that are found fault with: there are not many times as many. */
const mostUnused = 100

/** A rule that is checked only on demand, so that its comments may be of use although nothing was found. */
const onDemand = 'probe'
const needRelated: ReadonlySet<string> = new Set([...catalogRules, ...relatedNotes].map(({ name }) => name))

function ruleFault(ignored: Ignored, { isComplete, hasRelated, line, lines }: Circumstances): Finding[] {
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
  const elsewhere = lines.get(rule)
  const where = line === undefined ? 'in this file' : `on line ${line}, to which the comment applies`
  const hint = elsewhere === undefined ? 'remove the comment' : `move it to line ${elsewhere}, or above it`
  return [{ ...fault(ignored, `${rule} finds no problem ${where}`, hint), rule: 'ignore-unused' }]
}

const fault = ({ range }: Pick<Ignored, 'range'>, message: string, hint?: string): Finding =>
  finding('ignore', message, { severity: 'warning', range, ...(hint !== undefined && { hint }) })
