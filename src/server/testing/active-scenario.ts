import type { Scenario, ScenarioEffect, ScenarioMatch, ScenarioRule } from '../../contract/api/scenario.ts'
import type { Operation } from '../../contract/api/table.ts'
import { isPath, pathOf } from './path-pattern.ts'

/** What a rule looks at in a request. */
interface Seen {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly operation: Operation | undefined
}

interface ActiveRule extends ScenarioRule {
  /** How often it can still be applied; undefined for always. */
  remaining: number | undefined
}

/** The rules by which requests are delayed, refused or dropped; none by default. */
export class ActiveScenario {
  readonly #atStart: Scenario
  #rules: ActiveRule[] = []

  constructor(rules: Scenario = []) {
    this.#atStart = rules
    this.set(rules)
  }

  /** Returns to the rules at the start, as if none had been applied. */
  restart(): void {
    this.set(this.#atStart)
  }

  /** Replaces the rules. */
  set(rules: Scenario): void {
    this.#rules = rules.map((rule) => ({ ...rule, remaining: rule.times }))
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** The rules in order, each with how often it can still be applied: null for always. */
  rules() {
    return this.#rules.map(({ match = {}, times = null, remaining = null, then }) => ({
      match,
      times,
      remaining,
      then,
    }))
  }

  /** The effect on a request of the first rule that fits and can still be applied; counts as one use of the rule. */
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
