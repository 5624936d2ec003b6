import { errorAt } from '../../../contract/api/errors.ts'
import { excess } from '../../../contract/rules/query-cost.ts'
import type { Compared, Contained } from '../../store/search/search.ts'

/** Refuses a search that would cost too much, and names the limit. Throws `invalid`. */
export function checkCost(search: Compared, containers: readonly Contained[]): void {
  const found = excess(search, ...containers)
  if (found === undefined) return
  throw containers.length > 0
    ? errorAt('scope.value', 'invalid', `the search and the containers in it have ${found}`)
    : errorAt('filters', 'invalid', `the search has ${found}`)
}
