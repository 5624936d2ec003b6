import { kindOf } from '../../contract/kinds/kinds.ts'
import { limits } from '../../contract/limits.ts'
import { catalogIssues } from '../../contract/rules/catalog-rules.ts'
import { isObject } from '../../contract/schema/path.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import type { LoadedDocument, Problem } from './loaded.ts'
import { type Candidate, kindFindings } from './read-file.ts'
import type { Related } from './related.ts'

/** A document with everything that is wrong with it; `errors` are rules whose warnings are errors. */
export function checkedDocument(
  candidate: Candidate,
  related: Related,
  errors: readonly string[] = [],
): LoadedDocument {
  const { source, raw, kind, name, value } = candidate
  const found = [...raw.findings, ...issueFindings(candidate, related)].map((one) =>
    errors.includes(one.rule) ? { ...one, severity: 'error' as const } : one,
  )
  const problems = inOrder(found).map((one) => problemOf(source, one))
  return {
    file: source.file,
    kind,
    name,
    value: isObject(value) ? value : {},
    text: source.text,
    locate: (path, part) => source.span(...raw.range(path, part)),
    valid: problems.every(({ severity }) => severity !== 'error'),
    problems,
  }
}

function issueFindings(candidate: Candidate, { catalog, memberOf, issuesOf }: Related): Finding[] {
  const { raw, value } = candidate
  if (!raw.sound) return []
  const own = raw.place(kindFindings(raw.value))
  const issues = issuesOf(candidate)
  const wrong = issues.some(({ severity }) => severity === 'error')
  const related = wrong ? [] : catalogIssues(memberOf(candidate), catalog)
  const missing = issues.some(({ path }) => path.length === 0 && !isObject(value)) ? issues.slice(0, 1) : issues
  return [...own, ...raw.place([...missing, ...related])]
}

/** By place; a warning at the place of an error is left out, and so is what is above the bound. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const wrong = new Set(findings.filter(({ severity }) => severity === 'error').map(({ range }) => String(range)))
  const shown = findings.filter(({ severity, range }) => severity === 'error' || !wrong.has(String(range)))
  shown.sort((a, b) => (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0))
  if (shown.length <= limits.problems) return shown
  const more = shown.length - limits.problems
  return [
    ...shown.slice(0, limits.problems),
    finding('too-many', `${more} more problems in this document are not shown`),
  ]
}

/** Documents of one kind with one name: a problem of each after the first. Faces have no names. */
export function duplicateProblems(documents: readonly LoadedDocument[]): Map<LoadedDocument, Problem> {
  const first = new Map<string, LoadedDocument>()
  const problems = new Map<LoadedDocument, Problem>()
  for (const document of documents) {
    const { kind, name } = document
    if (kindOf(kind).key !== 'name' || name === '') continue
    const earlier = first.get(`${kind} ${name}`)
    if (earlier) problems.set(document, duplicate(document, earlier))
    else first.set(`${kind} ${name}`, document)
  }
  return problems
}

function duplicate(document: LoadedDocument, earlier: LoadedDocument): Problem {
  const key = kindOf(document.kind).nameKey
  const place = earlier.locate([key])
  const where = place ? `${earlier.file}:${place.line}:${place.column}` : earlier.file
  return {
    file: document.file,
    ...document.locate([key]),
    rule: 'duplicate-name',
    severity: 'error',
    path: key,
    message: `a second ${document.kind} named ${document.name}; the first is at ${where}`,
  }
}
