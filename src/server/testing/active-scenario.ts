import type { Scenario, ScenarioEffect, ScenarioMatch, ScenarioRule } from '../../contract/api/scenario.ts'
import type { Operation } from '../../contract/api/table.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { type Random, unpredictable } from '../store/random.ts'
import { isPath, isText, pathOf } from './path-pattern.ts'

/** What a rule looks at in a request. */
export interface Seen {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly operation: Operation | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The id of the user, and what they sign in with; known with the body. */
  readonly user?: readonly string[]
  readonly body?: string
}

/** What a rule looks at in a message to a WebSocket. */
interface SeenMessage {
  readonly event: string
  readonly payload: string
  /** The id of the user, and what they sign in with. */
  readonly user: () => readonly string[]
}

interface ActiveRule extends ScenarioRule {
  /** How often it can still be applied; undefined for always. */
  remaining: number | undefined
}

/** The rules by which requests and messages to WebSockets are delayed, refused or dropped; none by default. */
export class ActiveScenario {
  readonly #atStart: Scenario
  readonly #random: Random
  readonly #firstPlace: () => void
  /** All rules; then those for requests, and those for messages. */
  #rules: ActiveRule[] = []
  #requestRules: ActiveRule[] = []
  #messageRules: ActiveRule[] = []

  /** `random` decides about rules with a probability. */
  constructor(rules: Scenario = [], random: Random = unpredictable) {
    this.#atStart = rules
    this.#random = random
    this.#firstPlace = random.mark()
    this.set(rules)
  }

  /** Returns to the rules at the start, as if none had been applied. */
  restart(): void {
    this.#firstPlace()
    this.set(this.#atStart)
  }

  /** Replaces the rules. */
  set(rules: Scenario): void {
    this.#rules = rules.map((rule) => ({ ...rule, remaining: rule.times }))
    this.#messageRules = this.#rules.filter(({ match }) => match?.event !== undefined)
    this.#requestRules = this.#rules.filter(({ match }) => match?.event === undefined)
  }

  /** Whether it has no rule for requests. */
  get isEmpty(): boolean {
    return this.#requestRules.length === 0
  }

  /** The rules in order, each with how often it can still be applied: null for always. */
  rules() {
    return this.#rules.map(({ match = {}, times = null, probability, remaining = null, then }) => ({
      match,
      times,
      ...(probability !== undefined && { probability }),
      remaining,
      then,
    }))
  }

  /** Whether the first rule that may fit looks at the user or the body of a request, which are known later than the rest. */
  waitsFor(request: Seen): boolean {
    const first = this.#requestRules.find(
      ({ match: { user, body, ...match } = {}, remaining, probability = 1 }) =>
        remaining !== 0 && fits(match, request) && (probability === 1 || (user ?? body) !== undefined),
    )
    return (first?.match?.user ?? first?.match?.body) !== undefined
  }

  /** The effect on a request of the first rule that fits and can still be applied; counts as one use of the rule. */
  take(request: Seen): ScenarioEffect | undefined {
    return this.#use(this.#requestRules, (match) => fits(match, request))
  }

  /** The same for a message to a WebSocket. */
  takeForMessage(message: SeenMessage): ScenarioEffect | undefined {
    return this.#use(this.#messageRules, (match) => fitsMessage(match, message))
  }

  #use(rules: readonly ActiveRule[], isFor: (match: ScenarioMatch) => boolean): ScenarioEffect | undefined {
    const rule = rules.find(
      ({ match = {}, remaining, probability = 1 }) => remaining !== 0 && isFor(match) && this.#isDrawn(probability),
    )
    if (rule?.remaining !== undefined) rule.remaining--
    return rule?.then
  }

  #isDrawn(probability: number): boolean {
    return probability === 1 || this.#random.integer(1, 1_000_000) <= probability * 1_000_000
  }
}

const fits = ({ method, path, operation, user, headers, body }: ScenarioMatch, request: Seen): boolean =>
  (method === undefined || method === request.method) &&
  (operation === undefined || operation === request.operation) &&
  (path === undefined || isPath(path, pathOf(request.url))) &&
  (user === undefined || request.user?.includes(user) === true) &&
  (headers === undefined || hasHeaders(headers, request)) &&
  (body === undefined || hasFields(body, parseJson(request.body ?? '')))

const fitsMessage = ({ event = '*', user, body }: ScenarioMatch, message: SeenMessage): boolean =>
  isText(event, message.event) &&
  (user === undefined || message.user().includes(user)) &&
  (body === undefined || hasFields(body, parseJson(message.payload)))

const hasHeaders = (wanted: Readonly<Record<string, string>>, { headers }: Seen): boolean =>
  Object.entries(wanted).every(([name, pattern]) => {
    const value = headers[name.toLowerCase()]
    return value !== undefined && isText(pattern, String(value))
  })

const hasFields = (wanted: Readonly<Record<string, unknown>>, body: unknown): boolean =>
  Object.entries(wanted).every(([path, pattern]) => {
    const value = at(body, ...steps(path)) ?? at(body, path)
    return typeof pattern === 'string' && typeof value === 'string' ? isText(pattern, value) : value === pattern
  })

/** `user_tokens[0].token` as `user_tokens`, 0, `token`. */
const steps = (path: string) =>
  path.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step]))
