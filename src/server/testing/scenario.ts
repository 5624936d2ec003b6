import type { Scenario, ScenarioEffect, ScenarioMatch, ScenarioRule } from '../../contract/api/scenario.ts'
import type { Operation } from '../../contract/api/table.ts'

/** What a rule looks at in a request. */
export interface Seen {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly operation: Operation | undefined
}

interface ActiveRule extends ScenarioRule {
  /** How often it is still to be applied; undefined for always. */
  remaining: number | undefined
}

/** The rules by which requests are delayed, refused or dropped; none unless they are set. */
export class ActiveScenario {
  #rules: ActiveRule[] = []

  constructor(rules: Scenario = []) {
    this.set(rules)
  }

  /** Puts rules in the place of those there are. */
  set(rules: Scenario): void {
    this.#rules = rules.map((rule) => ({ ...rule, remaining: rule.times }))
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** The rules in order, each with how often it is still to be applied: null for always. */
  rules(): object[] {
    return this.#rules.map(({ match = {}, times = null, remaining = null, ...rule }) => ({
      match,
      times,
      remaining,
      ...rule,
    }))
  }

  /** What is to be done to a request, by the first rule that fits and is not used up; that is one use of it. */
  take(request: Seen): ScenarioEffect | undefined {
    const rule = this.#rules.find(({ match = {}, remaining }) => remaining !== 0 && fits(match, request))
    if (rule?.remaining !== undefined) rule.remaining--
    return rule?.then
  }
}

const fits = ({ method, path, operation }: ScenarioMatch, request: Seen): boolean =>
  (method === undefined || method === request.method) &&
  (operation === undefined || operation === request.operation) &&
  (path === undefined || isPath(path, pathOf(request.url)))

/** Without the query, repeated slashes as one, and readable. */
function pathOf(url: string): string {
  const path = (url.split('?', 1)[0] ?? '').replace(/\/{2,}/g, '/')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A pattern with `*` is that of a whole path; without one it is the path itself, or one above it. */
function isPath(pattern: string, path: string): boolean {
  if (pattern.includes('*')) return isLike(path, pattern.split('*'))
  const above = pattern.endsWith('/') ? pattern : `${pattern}/`
  return path === pattern || path.startsWith(above)
}

/** The pieces between the stars, each where it first occurs: time grows with the path alone. */
function isLike(path: string, [first = '', ...pieces]: readonly string[]): boolean {
  const last = pieces.pop() ?? ''
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  let from = first.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return from <= path.length - last.length
}
