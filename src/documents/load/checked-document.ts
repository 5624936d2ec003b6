import { kindOf, recognized } from '../../contract/kinds/kinds.ts'
import { limits } from '../../contract/limits.ts'
import { catalogIssues, withoutReplaced } from '../../contract/rules/catalog-rules.ts'
import { isObject, printPath } from '../../contract/schema/path.ts'
import { type Finding, finding, placeOf, problemOf } from '../finding.ts'
import { remainingIssues } from './document-issues.ts'
import type { LoadedDocument, Problem } from './loaded.ts'
import { plainFindings } from './plain-values.ts'
import { isError, isValid } from './problems.ts'
import { type Candidate, kindFindings } from './read-file.ts'
import type { Related } from './related.ts'

/** A document with everything that is wrong with it, such as having the name of another. */
export function checkedDocument(
  candidate: Candidate,
  related: Related,
  duplicate: Problem | undefined,
): LoadedDocument {
  const { source, raw, kind, name, value } = candidate
  const found = [...raw.findings, ...issueFindings(candidate, related)]
  const placed = inOrder(found).map((one) => problemOf(source, one))
  const problems = duplicate ? [...placed, duplicate] : placed
  return {
    file: source.file,
    kind,
    name,
    value: isObject(value) ? value : {},
    text: source.shown,
    locate: (path, part) => source.span(...raw.range(path, part)),
    valid: isValid(problems),
    problems,
  }
}

function issueFindings(candidate: Candidate, { catalog, memberOf, issuesOf }: Related): Finding[] {
  const { raw, kind, value } = candidate
  if (raw.isBesideTexts && recognized(raw.value)) return raw.place(remainingIssues(kind, value))
  if (!raw.sound) return []
  const own = raw.place(kindFindings(raw.value))
  const issues = issuesOf(candidate)
  const related = catalogIssues(memberOf(candidate), catalog, issues.filter(isError))
  const missing = issues.some(({ path }) => path.length === 0 && !isObject(value)) ? issues.slice(0, 1) : issues
  const found = raw.place([...withoutReplaced(missing, related), ...related])
  const known = new Set(found.map(({ path }) => printPath(path)))
  return [...own, ...found, ...plainFindings(candidate).filter(({ path }) => !known.has(printPath(path)))]
}

/** Findings by place, each once, without warnings at the place of an error and without those above the limit. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const wrong = new Set(findings.filter(isError).map(({ range }) => String(range)))
  const shown = once(findings).filter((one) => isError(one) || !wrong.has(String(one.range)))
  shown.sort((a, b) => (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0))
  if (shown.length <= limits.problems) return shown
  const more = shown.length - limits.problems
  const severity = shown.some(isError) ? 'error' : 'warning'
  return [
    ...shown.slice(0, limits.problems),
    finding('too-many', `${more} more problems in this document are not shown`, { severity }),
  ]
}

/** Findings without those that say the same of the same text, which an alias or a merge has put in several places. */
function once(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>()
  for (const one of findings) {
    const key = JSON.stringify([one.range, one.rule, one.message])
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
}

/** A problem for each document that has the kind and the name of an earlier one. Faces have no names. */
export function duplicateProblems(candidates: readonly Candidate[]): Map<Candidate, Problem> {
  const first = new Map<string, Candidate>()
  const problems = new Map<Candidate, Problem>()
  for (const candidate of candidates) {
    const { kind, name } = candidate
    if (kindOf(kind).key !== 'name' || name === '') continue
    const earlier = first.get(`${kind} ${name}`)
    if (earlier) problems.set(candidate, duplicateOf(candidate, earlier))
    else first.set(`${kind} ${name}`, candidate)
  }
  return problems
}

function duplicateOf({ source, raw, kind, name }: Candidate, earlier: Candidate): Problem {
  const key = kindOf(kind).nameKey
  return {
    file: source.file,
    ...source.span(...raw.range([key])),
    rule: 'duplicate-name',
    severity: 'error',
    path: key,
    message: `a second ${kind} named ${name}; the first is at ${placeOf(earlier.source, earlier.raw.range([key]))}`,
    hint: 'keep one of them, or give one another name',
  }
}
