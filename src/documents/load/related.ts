import { kindOf } from '../../contract/kinds/kinds.ts'
import type { Catalog, Faulty, Member } from '../../contract/rules/catalog.ts'
import type { Facts } from '../../contract/rules/rule.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import type { Issue } from '../../contract/schema/issues.ts'
import type { KindName } from '../../contract/values.ts'
import { placeOf } from '../finding.ts'
import { documentIssues } from './document-issues.ts'
import { isError } from './problems.ts'
import type { Candidate } from './read-file.ts'

/** Names of documents by their kind. */
export type Names = Readonly<Partial<Record<KindName, readonly string[]>>>

/** The documents of a run as a catalog, against which each is checked. */
export interface Related {
  readonly catalog: Catalog
  readonly memberOf: (candidate: Candidate) => Member
  /** The issues of a document by itself; found once. */
  readonly issuesOf: (candidate: Candidate) => readonly Issue[]
}

interface CatalogOptions extends Pick<Catalog, 'ifWhole' | 'isDescribed'> {
  /** Names of documents that were not read again. */
  readonly elsewhere: Names | undefined
}

/** The catalog that documents form. */
export function catalogOf(
  candidates: readonly Candidate[],
  facts: Facts,
  { elsewhere = {}, ...whole }: CatalogOptions,
): Related {
  const members = new Map(candidates.map((candidate) => [candidate, member(candidate)]))
  const sound = [...members].flatMap(([{ raw }, one]) => (raw.sound ? [one] : []))
  const groups = groupBy(sound, ({ kind, template }) => `${kind} ${template}`)
  const memberOf = (candidate: Candidate) => members.get(candidate) ?? member(candidate)
  const issuesOf = issuesOnce(facts)
  const errorsOf = (one: Candidate) => [...one.raw.findings, ...issuesOf(one)].filter(isError)
  const firsts = firstTemplates(candidates)
  const templates = new Map<unknown, Faulty | undefined>()
  const faultyTemplate = (name: unknown) => {
    const first = firsts.get(name)
    if (first?.raw.sound && !templates.has(name))
      templates.set(name, { member: memberOf(first), errors: errorsOf(first) })
    return templates.get(name)
  }
  const template = (name: unknown) => {
    const found = faultyTemplate(name)
    return found?.errors.length === 0 ? found.member : undefined
  }
  const names = new Map<KindName, ReadonlySet<string>>()
  const namesOf = (kind: KindName) => {
    const found = names.get(kind) ?? new Set([...(elsewhere[kind] ?? []), ...namesIn(candidates, kind)].sort())
    names.set(kind, found)
    return found
  }
  return {
    catalog: {
      template,
      faultyTemplate,
      of: (name, kind) => groups.get(`${kind} ${name}`) ?? [],
      names: namesOf,
      ...facts,
      ...whole,
    },
    memberOf,
    issuesOf,
  }
}

function member(candidate: Candidate): Member {
  const { source, raw, kind, name, value } = candidate
  return {
    kind,
    name,
    template: kindOf(kind).templateOf(value),
    value,
    place: (path = [kindOf(kind).nameKey]) => placeOf(source, raw.range(path)),
  }
}

/** The names that documents of a kind have. */
export const namesIn = (candidates: readonly Candidate[], kind: KindName): string[] =>
  candidates.filter((one) => one.kind === kind && one.name !== '').map(({ name }) => name)

/** The first template of each name. */
function firstTemplates(candidates: readonly Candidate[]): Map<unknown, Candidate> {
  const firsts = new Map<unknown, Candidate>()
  for (const one of candidates)
    if (kindOf(one.kind).parent === undefined && !firsts.has(one.name)) firsts.set(one.name, one)
  return firsts
}

function issuesOnce(facts: Facts): Related['issuesOf'] {
  const found = new Map<Candidate, readonly Issue[]>()
  return (candidate) => {
    const issues = found.get(candidate) ?? documentIssues(candidate.kind, candidate.value, facts)
    found.set(candidate, issues)
    return issues
  }
}
