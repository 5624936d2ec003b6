import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import { Turns } from '../store/turns.ts'
import { CopyBounds } from './copy-bounds.ts'
import { DryRun, type DryRunAsker, type Place, rolledBackAfter, type Step } from './dry-run.ts'

/**
 * Dry runs: a request is carried out in a transaction that is rolled back, in an environment in which nothing leaves
 * the database.
 */
export class DryRuns {
  /** By caller and id, those that were changed last at the end. */
  readonly #runs = new Map<string, DryRun>()
  readonly #bounds = new CopyBounds()

  /** By caller, as long as they have requests. */
  readonly #turns = new Map<string, Turns>()

  /** One request by itself. Throws `busy` if the caller is gone before its turn. */
  alone<T>(environment: Environment, asker: DryRunAsker, step: Step<T>): Promise<T> {
    return this.#inTurn(asker, () => rolledBackAfter([], environment, step, asker))
  }

  /**
   * One request of a caller's dry run of several. Throws `dryRunLost` if the changes before it are no longer remembered,
   * and `busy` if all places, or the memory for copies, are taken by others, many copies were made for the caller just now, or
   * the caller is gone before its turn. A user has one copy at a time, and all that are not signed in have one.
   */
  following<T>(environment: Environment, place: Place, step: Step<T>): Promise<T> {
    return this.#inTurn(place, () => this.#following(environment, place, step))
  }

  async #following<T>(environment: Environment, place: Place, step: Step<T>): Promise<T> {
    const { caller, user = '', id, changes } = place
    const key = `${caller} ${id}`
    const run = this.#runs.get(key) ?? new DryRun(caller, user, this.#bounds)
    if (changes > limits.dryRunRepeated)
      for (const other of this.#runs.values()) if (other !== run && other.user === user) await other.close()
    const value = await run.carryOut(environment, place, step)
    if (step.changes) {
      await this.#remember(key, run)
      await this.#fit(run, environment.memory / 4)
    }
    return value
  }

  /** Removes all copies. */
  async close(): Promise<void> {
    for (const run of this.#runs.values()) await run.close()
  }

  /** One request of a caller at a time: each holds up all writes, and between two of them others have their turn. */
  async #inTurn<T>({ caller, isGone }: DryRunAsker, work: () => Promise<T>): Promise<T> {
    const turns = this.#turns.get(caller) ?? new Turns(ofOneCaller)
    this.#turns.set(caller, turns)
    try {
      return await turns.take(work, { isGone })
    } finally {
      if (turns.isIdle) this.#turns.delete(caller)
    }
  }

  async #remember(key: string, run: DryRun): Promise<void> {
    const others = [...this.#runs].filter(([one]) => one !== key)
    const replaced = replacedBy(run, others)
    if (replaced) this.#runs.delete(replaced[0])
    this.#runs.delete(key)
    this.#runs.set(key, run)
    await replaced?.[1].close()
  }

  /** Forgets dry runs until the bodies of all fit into so many bytes: idle ones, older ones of the caller, the largest. */
  async #fit(run: DryRun, bytes: number): Promise<void> {
    const all = [...this.#runs]
    let sum = all.reduce((total, [, one]) => total + one.bytes, 0)
    const others = all.filter(([, one]) => one !== run && one.bytes > 0)
    const first = others.filter(([, one]) => one.isIdle() || one.caller === run.caller)
    const last = all.filter((one) => !first.includes(one)).sort(([, a], [, b]) => b.bytes - a.bytes)
    for (const [key, one] of [...first, ...last]) {
      if (sum <= bytes) return
      sum -= one.bytes
      this.#runs.delete(key)
      await one.close()
    }
  }
}

const ofOneCaller = {
  atOnce: 1,
  waiting: limits.dryRunsWaiting,
  refusal: 'too many dry runs at once: wait for some of yours',
}

/** Which of the others has to go for a dry run: the oldest of its caller, or one that has been idle. Throws `busy`. */
function replacedBy<T extends readonly [string, DryRun]>({ caller }: DryRun, others: readonly T[]): T | undefined {
  const own = others.filter(([, run]) => run.caller === caller)
  if (own.length >= limits.dryRunsOfCaller) return own[0]
  if (others.length < limits.dryRuns) return undefined
  const replaced = others.find(([, run]) => run.isIdle()) ?? own[0]
  if (!replaced) throw new ApiError('busy', 'too many dry runs at once')
  return replaced
}
