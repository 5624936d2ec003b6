import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import { TurnsByName } from '../store/turns.ts'
import { CopyBounds, NoCopyYet } from './copy-bounds.ts'
import { DryRun, type DryRunAsker, type Place, rolledBackAfter, type Step } from './dry-run.ts'

/**
 * Dry runs: a request is carried out in a transaction that is rolled back, in an environment in which nothing leaves
 * the database.
 */
export class DryRuns {
  /** By caller and id, those that were changed last at the end. */
  readonly #runs = new Map<string, DryRun>()
  readonly #bounds = new CopyBounds()
  /** One request of a caller at a time: each holds up all writes, and between two of them others have their turn. */
  readonly #turns = new TurnsByName({
    atOnce: 1,
    waiting: limits.dryRunsWaiting,
    refusal: 'too many dry runs at once: wait for some of yours',
  })
  /** By user, requests that wait until there is room for a copy. */
  readonly #withoutCopy = new TurnsByName({
    atOnce: 1,
    waiting: limits.dryRunsWaiting,
    refusal: 'too many long dry runs at once: wait for some of yours',
  })

  /** One request by itself. Throws `busy` if the caller is gone before its turn. */
  alone<T>(environment: Environment, asker: DryRunAsker, step: Step<T>): Promise<T> {
    return this.#turns.take(asker.caller, () => rolledBackAfter([], environment, step, asker), asker)
  }

  /**
   * One request of a caller's dry run of several. It waits for some seconds where there is no room for the copy that it
   * needs. Throws `dryRunLost` if the changes before it are no longer remembered, and `busy` if all places are taken by
   * others, it waited in vain, or the caller is gone before its turn.
   */
  async following<T>(environment: Environment, place: Place, step: Step<T>): Promise<T> {
    const end = performance.now() + limits.dryRunWait
    const attempt = () => this.#turns.take(place.caller, () => this.#following(environment, place, step), place)
    try {
      return await attempt()
    } catch (reason) {
      if (!(reason instanceof NoCopyYet)) throw reason
    }
    return await this.#withoutCopy.take(place.user ?? '', () => repeated(attempt, place, end), place)
  }

  async #following<T>(environment: Environment, place: Place, step: Step<T>): Promise<T> {
    const { caller, user = '', id } = place
    const key = `${caller} ${id}`
    const run = this.#runs.get(key) ?? new DryRun(caller, user, this.#bounds)
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
    const first = others.filter(([, one]) => isIdle(one) || one.caller === run.caller)
    const last = all.filter((one) => !first.includes(one)).sort(([, a], [, b]) => b.bytes - a.bytes)
    for (const [key, one] of [...first, ...last]) {
      if (sum <= bytes) return
      sum -= one.bytes
      this.#runs.delete(key)
      await one.close()
    }
  }
}

const isIdle = (run: DryRun) => run.unusedFor() >= limits.dryRunIdle

/** Milliseconds between two attempts. */
const pause = 50

/** Attempts what needs a copy until there is room for one. Throws `NoCopyYet` at the end, and `busy` if the asker is gone. */
async function repeated<T>(attempt: () => Promise<T>, { isGone }: DryRunAsker, end: number): Promise<T> {
  for (;;) {
    if (isGone()) throw new ApiError('busy', 'the connection was closed while the dry run waited')
    try {
      return await attempt()
    } catch (reason) {
      if (!(reason instanceof NoCopyYet) || performance.now() >= end) throw reason
    }
    await setTimeout(pause)
  }
}

/**
 * Which of the others has to go for a dry run: the oldest of its caller, one that has been idle, or the oldest of whoever has
 * the most. Throws `busy` if nobody has two.
 */
function replacedBy<T extends readonly [string, DryRun]>({ caller }: DryRun, others: readonly T[]): T | undefined {
  const own = others.filter(([, run]) => run.caller === caller)
  if (own.length >= limits.dryRunsOfCaller) return own[0]
  if (others.length < limits.dryRuns) return undefined
  const replaced = others.find(([, run]) => isIdle(run)) ?? own[0] ?? oldestOfMost(others)
  if (!replaced) throw new ApiError('busy', 'too many dry runs at once')
  return replaced
}

function oldestOfMost<T extends readonly [string, DryRun]>(all: readonly T[]): T | undefined {
  const byCaller = new Map<string, T[]>()
  for (const one of all) byCaller.set(one[1].caller, [...(byCaller.get(one[1].caller) ?? []), one])
  const [most = []] = [...byCaller.values()].sort((a, b) => b.length - a.length)
  return most.length > 1 ? most[0] : undefined
}
