import { errorAt } from '../../../contract/api/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { privatePrefix } from '../../../contract/values.ts'
import { elementsOf } from '../../store/search/conditions.ts'
import { piecesOf } from '../../store/search/operators.ts'
import { type Compared, type Contained, comparedFields } from '../../store/search/search.ts'

const isPattern = (value: string) => value.includes('*')
const patternsIn = (query: Compared) =>
  elementsOf(query.filters)
    .filter(({ filter_op, value }) => filter_op === 'Match' && isPattern(value))
    .map(({ value }) => value)
const stepsOf = (name: string) => (name.startsWith(privatePrefix) ? name.split('.').length - 1 : 0)
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const largest = (numbers: readonly number[]) => numbers.reduce((most, one) => Math.max(most, one), 0)

/** What a search and the containers in it may have, and how that is counted. */
const bounds = [
  {
    most: limits.comparisons,
    what: 'comparisons',
    count: (queries: readonly Compared[]) => sum(queries.map(({ filters }) => elementsOf(filters).length)),
  },
  {
    most: limits.patterns,
    what: 'values with *',
    count: (queries: readonly Compared[]) => sum(queries.map((query) => patternsIn(query).length)),
  },
  {
    most: limits.patternPieces,
    what: 'pieces between the * of one value',
    count: (queries: readonly Compared[]) =>
      largest(queries.flatMap((query) => patternsIn(query).map((pattern) => piecesOf(pattern).length))),
  },
  {
    most: limits.pathSteps,
    what: 'steps in the path of a custom property',
    count: (queries: readonly Compared[]) => largest(queries.flatMap((query) => comparedFields(query).map(stepsOf))),
  },
] as const

/** Refuses a search that would cost too much, and names the limit. Throws `invalid`. */
export function checkCost(search: Compared, containers: readonly Contained[]): void {
  for (const { most, what, count } of bounds) {
    const found = count([search, ...containers])
    if (found <= most) continue
    const subject = containers.length > 0 ? 'the search and the containers in it have' : 'the search has'
    const path = containers.length > 0 ? 'scope.value' : 'filters'
    throw errorAt(path, 'invalid', `${subject} ${found} ${what}: at most ${most} are allowed`)
  }
}
