import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Environment } from '../environment.ts'
import { replacedBy } from '../store/shared-places.ts'
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
    const known = this.#runs.get(keyOf(place))
    const request = () => this.#awaiting(environment, place, step)
    return await (known ? known.awaited(request) : request())
  }

  async #awaiting<T>(environment: Environment, place: Place, step: Step<T>): Promise<T> {
    const end = performance.now() + limits.dryRunWait
    const attempt = () => this.#turns.take(place.caller, () => this.#following(environment, place, step), place)
    try {
      return await attempt()
    } catch (reason) {
      if (!(reason instanceof NoCopyYet)) throw reason
    }
    return await this.#withoutCopy.take(place.user, () => repeated(attempt, place, end), place)
  }

  async #following<T>(environment: Environment, place: Place, step: Step<T>): Promise<T> {
    const key = keyOf(place)
    const run = this.#runs.get(key) ?? new DryRun(key, place, this.#bounds)
    // What has no place is not carried out in vain.
    if (step.remembered && place.changes === 0 && !this.#runs.has(key)) replacedFor(run, [...this.#runs.values()])
    const value = await run.carryOut(environment, place, step)
    if (step.remembered) {
      await this.#remember(run)
      await this.#fit(run, environment.memory / 4)
    }
    return value
  }

  /** Removes all copies. */
  async close(): Promise<void> {
    for (const run of this.#runs.values()) await run.close()
  }

  async #remember(run: DryRun): Promise<void> {
    this.#runs.delete(run.key)
    const replaced = replacedFor(run, [...this.#runs.values()])
    if (replaced) this.#runs.delete(replaced.key)
    this.#runs.set(run.key, run)
    await replaced?.close()
  }

  /**
   * Forgets dry runs until the bodies of all fit into so many bytes: idle ones, older ones of the caller, the largest,
   * and last those of publishers of the service.
   */
  async #fit(run: DryRun, bytes: number): Promise<void> {
    const all = [...this.#runs.values()]
    let sum = all.reduce((total, one) => total + one.bytes, 0)
    const others = all.filter((one) => one !== run && one.bytes > 0)
    const first = others.filter((one) => isIdle(one) || one.caller === run.caller)
    const last = all
      .filter((one) => !first.includes(one))
      .sort((a, b) => Number(a.isFirst) - Number(b.isFirst) || b.bytes - a.bytes)
    for (const one of [...first, ...last]) {
      if (sum <= bytes) return
      sum -= one.bytes
      this.#runs.delete(one.key)
      await one.close()
    }
  }
}

const keyOf = ({ caller, id }: Place): string => `${caller} ${id}`

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

/** Whether it has ended, as far as can be told: its command sends one request after the other. */
const isResting = (run: DryRun) => !run.isAwaited && run.unusedFor() >= limits.dryRunResting

/**
 * Which of the others, those that were changed longest ago first, has to go for a dry run: the first of its caller that
 * rests if they have many, one that has been idle, that of whoever has more of the places, or the first of the caller
 * or their address. Those of publishers of the service make room for others only once they are idle. Throws `busy` if
 * there is none.
 */
function replacedFor(run: DryRun, others: readonly DryRun[]): DryRun | undefined {
  const own = others.filter(({ caller }) => caller === run.caller)
  if (own.length >= limits.dryRunsOfCaller) {
    const resting = own.find(isResting)
    if (resting) return resting
    throw new ApiError('busy', 'too many dry runs at once: wait until some of yours have ended')
  }
  if (others.length < limits.dryRuns) return undefined
  const shared = others.filter(({ isFirst }) => !isFirst)
  const here = shared.filter(({ place }) => place === run.place)
  const replaced = shared.find(isIdle) ?? replacedBy(run, others) ?? own[0] ?? here[0] ?? others.find(isIdle)
  if (!replaced) throw new ApiError('busy', 'too many dry runs at once')
  return replaced
}
