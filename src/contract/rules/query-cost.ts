import { limits } from '../limits.ts'
import { at, listAt } from '../schema/path.ts'
import { privatePrefix, vatomType } from '../values.ts'
import type { Rule } from './rule.ts'

/** The pieces between the stars of a value that `Match` looks for. */
export const piecesOf = (value: string): string[] => value.split('*').filter((piece) => piece !== '')

const elementsOf = (query: unknown): unknown[] =>
  listAt(query, 'filters').flatMap((group) => listAt(group, 'filter_elems'))
const matchesIn = (query: unknown): string[] =>
  elementsOf(query)
    .filter((element) => at(element, 'filter_op') === 'Match')
    .map((element) => String(at(element, 'value')))
const patternsIn = (query: unknown): string[] => matchesIn(query).filter((value) => value.includes('*'))
const fieldsIn = (query: unknown): unknown[] => [
  at(query, 'scope', 'key'),
  ...listAt(query, 'sample', 'by'),
  ...elementsOf(query).map((element) => at(element, 'field')),
]
const pathsIn = (query: unknown): string[] =>
  fieldsIn(query).filter((field): field is string => typeof field === 'string' && field.startsWith(privatePrefix))
const largest = (numbers: readonly number[]) => numbers.reduce((most, one) => Math.max(most, one), 0)

const comparisons = {
  most: limits.comparisons,
  what: 'comparisons',
  count: (queries: unknown[]) => queries.flatMap(elementsOf).length,
} as const

/** What searches that are made together may have, and how that is counted, in this order: long paths are not split. */
const bounds = [
  comparisons,
  { most: limits.matches, what: 'values of Match', count: (queries: unknown[]) => queries.flatMap(matchesIn).length },
  { most: limits.patterns, what: 'values with *', count: (queries: unknown[]) => queries.flatMap(patternsIn).length },
  {
    most: limits.patternPieces,
    what: 'pieces between the * of one value',
    count: (queries: unknown[]) => largest(queries.flatMap(patternsIn).map((value) => piecesOf(value).length)),
  },
  {
    most: limits.pathCharacters,
    what: 'characters in the path of a custom property',
    count: (queries: unknown[]) => largest(queries.flatMap(pathsIn).map(({ length }) => length)),
  },
  {
    most: limits.pathSteps,
    what: 'steps in the path of a custom property',
    count: (queries: unknown[]) => largest(queries.flatMap(pathsIn).map((path) => path.split('.').length - 1)),
  },
] as const

/** Of what searches of any shape have too much, in words: `201 comparisons: at most 200 are allowed`. */
export const excess = (...queries: unknown[]): string | undefined => excessOf(bounds, queries)

/** The same of comparisons alone, which are counted before each of them is checked. */
export const excessComparisons = (query: unknown): string | undefined => excessOf([comparisons], [query])

function excessOf(some: readonly (typeof bounds)[number][], queries: unknown[]): string | undefined {
  for (const { most, what, count } of some) {
    const found = count(queries)
    if (found > most) return `${found} ${what}: at most ${most} are allowed`
  }
  return undefined
}

/** The query of a container, which is final once it is published, is one that can be carried out. */
export const queryCost: Rule = {
  name: 'query-cost',
  spec: '4.4',
  kinds: ['template', 'variation'],
  severity: 'error',
  summary: 'a query has no more comparisons and patterns, and no longer paths, than a search may have',
  check: (document) => {
    const found = excess(at(document, ...vatomType, 'query'))
    if (found === undefined) return []
    return [{ path: [...vatomType, 'query'], message: `the query has ${found}` }]
  },
}
