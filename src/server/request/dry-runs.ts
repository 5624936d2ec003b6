import type { DryRunPlace } from '../../contract/api/dry-run.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { warning } from '../../contract/api/warnings.ts'
import { limits } from '../../contract/limits.ts'
import { Reservations } from '../actions/callers.ts'
import type { Assets } from '../assets/folder.ts'
import type { Environment } from '../environment.ts'
import { Turns } from '../turns.ts'

/** A request: what carries it out, and whether that changes anything. */
export interface Step<T = unknown> {
  readonly carryOut: (environment: Environment) => Promise<T>
  readonly changes: boolean
  /** Bytes of its body. */
  readonly size: number
}

/**
 * Dry runs: a request is carried out in a transaction that is rolled back, in an environment in which nothing leaves
 * the database. One that names earlier changes of its dry run is carried out after those, in the same transaction: they
 * are remembered as requests, so that no transaction stays open between two of them.
 */
export class DryRuns {
  readonly #changes = new Map<string, readonly Step[]>()

  /** One request by itself. */
  alone<T>(environment: Environment, step: Step<T>): Promise<T> {
    return this.#inTurn(environment, [], step)
  }

  /** One request of a dry run of several. Throws `dryRunLost` where changes before it are no longer remembered. */
  async following<T>(environment: Environment, { id, changes }: DryRunPlace, step: Step<T>): Promise<T> {
    const before = (this.#changes.get(id) ?? []).slice(0, changes)
    if (before.length < changes) throw new ApiError('dryRunLost')
    const value = await this.#inTurn(environment, before, step)
    if (step.changes) this.#remember(id, [...before, step])
    return value
  }

  #inTurn<T>(environment: Environment, before: readonly Step[], step: Step<T>): Promise<T> {
    return environment.store.rolledBack(async (write) => {
      const dry = withoutEffects({ ...environment, store: { ...environment.store, write } })
      const end = performance.now() + limits.dryRunTime
      for (const { carryOut } of before) {
        // Others may have changed the service since: what was possible may be refused now.
        await carryOut(dry).catch(() => undefined)
        if (performance.now() > end) throw new ApiError('dryRunRefused', 'the dry run has too many changes to repeat')
      }
      return await step.carryOut(dry)
    })
  }

  #remember(id: string, steps: readonly Step[]): void {
    const bytes = steps.reduce((sum, { size }) => sum + size, 0)
    if (steps.length > limits.dryRunChanges || bytes > limits.dryRunBodies)
      throw new ApiError('tooLarge', `a dry run has at most ${limits.dryRunChanges} changes`)
    this.#changes.delete(id)
    this.#changes.set(id, steps)
    for (const oldest of this.#changes.keys()) {
      if (this.#changes.size <= limits.dryRuns) break
      this.#changes.delete(oldest)
    }
  }
}

/** An environment in which no file is changed, no handler called, and no session of the process ended. */
function withoutEffects(environment: Environment): Environment {
  const { assets, actions, passwords, localSession } = environment
  return {
    ...environment,
    assets: untouched(assets),
    passwords: { ...passwords, hash: async () => 'of a dry run' },
    logins: new Map(),
    localSession: { ...localSession },
    actions: {
      ...actions,
      later: { signal: actions.later.signal, run: () => undefined, end: async () => undefined },
      handled: new Turns(1, 0, 'too many actions are under way'),
      reservations: new Reservations(),
      call: async (_url, { scope }, { name }) => {
        const message = `the handler of ${name} is not called by a dry run: what it answers and changes is not foreseen`
        scope.warn(warning('handler-not-called', '', message))
        return {}
      },
    },
  }
}

/** The folder of assets as it is. Uploads, which it would take, are refused before. */
function untouched(assets: Assets): Assets {
  const refuse = () => {
    throw new ApiError('dryRunRefused')
  }
  return {
    path: assets.path,
    has: (id) => assets.has(id),
    isReceiving: (name) => assets.isReceiving(name),
    during: (work) => assets.during(work),
    tidy: async () => undefined,
    untidy: () => undefined,
    remove: async () => undefined,
    close: async () => undefined,
    begin: refuse,
    store: refuse,
    discard: refuse,
  }
}
