import type { DryRunPlace } from '../../contract/api/dry-run.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { onTables } from '../domain/caller.ts'
import type { Environment } from '../environment.ts'
import { isFull } from '../store/database/sqlite.ts'
import { copyOf } from '../store/memory-copy.ts'
import type { Sharer } from '../store/shared-places.ts'
import type { Store } from '../store/store.ts'
import { Turns, type Waiter } from '../store/turns.ts'
import { type CopyBounds, type CopyHolder, NoCopyYet } from './copy-bounds.ts'
import { withoutEffects } from './dry-environment.ts'
import { dryRunFull } from './dry-run-full.ts'
import type { Pause } from './predicted-payload.ts'

/** A request that is carried out before later ones of its dry run: no more is kept than that takes. */
export interface Remembered {
  readonly carryOut: (environment: Environment) => Promise<unknown>
  /** Characters of its body and its address. */
  readonly size: number
}

/** A request of a dry run. */
export interface Step<T = unknown> {
  readonly carryOut: (environment: Environment, pause: Pause) => Promise<T>
  /** What is remembered of it, if it changes anything. */
  readonly remembered: Remembered | undefined
}

/** Who asks for a dry run. */
export interface DryRunAsker {
  /** Id of a user, or the place of somebody who is not signed in. */
  readonly caller: string
  /** Id of the user; empty for one who is not signed in. */
  readonly user: string
  /** Their address, or its network. */
  readonly place: string
  /** Whether they go before others, as the publishers of the service do. */
  readonly isFirst: boolean
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean
}

export interface Place extends DryRunPlace, DryRunAsker {}

/**
 * A dry run of several requests. A few changes are remembered as requests and carried out again before the next one, in
 * one transaction: none stays open between two requests. More changes are made in a copy of the database, so that each
 * request costs no more than a single one.
 */
export class DryRun implements CopyHolder, Sharer {
  /** Its name among all. */
  readonly key: string
  readonly caller: string
  readonly user: string
  readonly place: string
  readonly isFirst: boolean
  #steps: readonly Remembered[] = []
  /** What its remembered changes take, if each character takes two bytes, and a request besides. */
  bytes = 0
  #lastUsed = performance.now()
  #awaited = 0
  #copy: Copy | undefined
  readonly #bounds: CopyBounds
  #idle: NodeJS.Timeout | undefined
  /** Its copy is not removed while a request uses it. */
  readonly #turns = new Turns({ atOnce: 1 })

  constructor(key: string, { caller, user, place, isFirst }: DryRunAsker, bounds: CopyBounds) {
    this.key = key
    this.caller = caller
    this.user = user
    this.place = place
    this.isFirst = isFirst
    this.#bounds = bounds
  }

  /** Whether a request of it is carried out, or waits for its turn. */
  get isAwaited(): boolean {
    return this.#awaited > 0
  }

  /** Counts a request of it from when it arrives. */
  async awaited<T>(request: () => Promise<T>): Promise<T> {
    this.#awaited++
    try {
      return await request()
    } finally {
      this.#awaited--
    }
  }

  readonly unusedFor = (): number => (this.#turns.isIdle ? performance.now() - this.#lastUsed : 0)

  /** Throws `dryRunLost`, `dryRunFull` if the answer would cost too much, or `NoCopyYet`. */
  async carryOut<T>(environment: Environment, { changes, ...asker }: Place, step: Step<T>): Promise<T> {
    const answered = this.#turns.take(async () => {
      const before = this.#steps.slice(0, changes)
      if (before.length < changes) throw new ApiError('dryRunLost')
      const steps = step.remembered ? [...before, step.remembered] : before
      checkBounds(steps)
      const value =
        changes > limits.dryRunRepeated
          ? await this.#inCopy(environment, before, step, asker)
          : await rolledBackAfter(before, environment, step, asker)
      if (step.remembered) {
        // What the copy has made after these changes is no longer of the dry run.
        if (changes <= limits.dryRunRepeated) await this.#removeCopy()
        this.#steps = steps
        this.bytes = 2 * sizeOf(steps) + bytesOfStep * steps.length
      }
      return value
    })
    return await answered.finally(() => {
      this.#lastUsed = performance.now()
    })
  }

  readonly close = (): Promise<void> => this.#turns.take(() => this.#removeCopy())

  async #inCopy<T>(
    environment: Environment,
    before: readonly Remembered[],
    step: Step<T>,
    asker: DryRunAsker,
  ): Promise<T> {
    const copy = this.#copyAfter(before.length) ?? (await this.#newCopy(environment, before, asker))
    clearTimeout(this.#idle)
    this.#idle = setTimeout(this.close, limits.dryRunIdle).unref()
    try {
      const answer = step.remembered
        ? () => this.#changed(environment, copy, step)
        : () => inTurnOf(copy.store, environment, { ...step, end: 'rolledBack' })
      return await this.#bounds.using.take(answer, waiterOf(asker))
    } catch (error) {
      // What else fails may have ended the transaction of the copy.
      const isLeft = error instanceof ApiError && error.kind !== 'dryRunFull' && !(error instanceof NoCopyYet)
      if (!isLeft) await this.#discardCopy()
      throw error
    }
  }

  /** The copy after the first changes, if it can take back what came later. */
  #copyAfter(changes: number): Copy | undefined {
    const copy = this.#copy
    if (!copy || copy.done - changes > copy.places) return undefined
    for (; copy.done > changes; copy.done--, copy.places--) copy.store.takeBack()
    return copy
  }

  /** Throws as `growing` if the copy would take too much memory. */
  async #changed<T>(environment: Environment, copy: Copy, { carryOut }: Step<T>): Promise<T> {
    const change = () => inTurnOf(copy.store, environment, { carryOut, end: 'committed' })
    const value = await this.#bounds.growing(this, copy.store, environment.memory, change)
    copy.done++
    copy.places++
    if (copy.places > limits.dryRunPlaces || copy.store.changed() - copy.settled > limits.dryRunPlaceRows) settle(copy)
    return value
  }

  /** A copy in place of the one it has. That is removed at once: who makes one may wait for it. */
  async #newCopy(environment: Environment, before: readonly Remembered[], asker: DryRunAsker): Promise<Copy> {
    await this.#removeCopy()
    return await this.#bounds.making.take(() => this.#makeCopy(environment, before), waiterOf(asker))
  }

  /** A copy of the database in which the changes before a request were made. */
  async #makeCopy(environment: Environment, before: readonly Remembered[]): Promise<Copy> {
    const bytes = environment.store.size()
    if (bytes > limits.dryRunCopy) throw dryRunFull('database')
    try {
      await this.#bounds.take(this, bytes, environment.memory)
      const store = await copyOf(environment.store)
      const copy = { store, done: before.length, places: 0, settled: 0 }
      this.#copy = copy
      await this.#bounds.growing(this, store, environment.memory, () => repeatedIn(store, environment, before))
      settle(copy)
      return copy
    } catch (error) {
      await this.#discardCopy()
      throw error
    }
  }

  /** Removes a copy that is of no use, and has it give back at once what it took. */
  async #discardCopy(): Promise<void> {
    await this.#removeCopy()
    await this.#bounds.free()
  }

  async #removeCopy(): Promise<void> {
    clearTimeout(this.#idle)
    const copy = this.#copy
    this.#copy = undefined
    await copy?.store.close()
    this.#bounds.giveBack(this)
  }
}

/** A copy of the database, and how many of the dry run's changes were made in it. */
interface Copy {
  readonly store: Store
  done: number
  /** How many of them, the last, it can take back. */
  places: number
  /** How many rows were changed before those. */
  settled: number
}

/** Has a copy take nothing back any more, and forget what was before. */
function settle(copy: Copy): void {
  copy.store.settle()
  copy.places = 0
  copy.settled = copy.store.changed()
}

/** What is remembered of a request besides its characters. */
const bytesOfStep = 3000

const sizeOf = (steps: readonly Remembered[]) => steps.reduce((sum, { size }) => sum + size, 0)

function checkBounds(steps: readonly Remembered[]): void {
  if (steps.length > limits.dryRunChanges) throw dryRunFull('changes')
  if (sizeOf(steps) > limits.dryRunBodies) throw dryRunFull('bodies')
}

/** The time that it takes to carry out earlier changes again. */
class RepeatTime {
  /** Milliseconds. */
  #taken = 0

  /** Carries out a change, whose time counts. */
  of({ carryOut }: Remembered): Remembered['carryOut'] {
    return async (environment) => {
      const begun = performance.now()
      try {
        return await carryOut(environment)
      } finally {
        this.#taken += performance.now() - begun
      }
    }
  }

  /** Throws `dryRunFull` once it is over. */
  check(): void {
    if (this.#taken > limits.dryRunTime) throw dryRunFull('time')
  }
}

/** A request after others, all in one transaction that is rolled back. */
export const rolledBackAfter = <T>(
  before: readonly Remembered[],
  environment: Environment,
  step: Step<T>,
  asker: DryRunAsker,
): Promise<T> =>
  environment.store.rolledBack(async (transaction) => {
    const dry = withoutEffects(onTables(environment, transaction))
    const time = new RepeatTime()
    for (const one of before) {
      // Others may have changed the service since: what was possible may be refused now.
      await time
        .of(one)(dry)
        .catch(() => undefined)
      await transaction.pause()
      time.check()
    }
    return await step.carryOut(dry, transaction.pause)
  }, waiterOf(asker))

/** Addresses take turns, and so do the callers of each; publishers of the service come first. */
const waiterOf = ({ place, caller, isFirst, isGone }: DryRunAsker): Waiter => ({
  line: [place, caller],
  isFirst,
  isGone,
})

/** Carries out changes again in a copy, for good. */
async function repeatedIn(store: Store, environment: Environment, changes: readonly Remembered[]): Promise<void> {
  const time = new RepeatTime()
  for (const step of changes) {
    await inTurnOf(store, environment, { carryOut: time.of(step), end: 'committed' }).catch(unlessFull)
    store.settle()
    time.check()
  }
}

/** What was possible may be refused now; where there was no room, nothing is left of the changes before, either. */
function unlessFull(reason: unknown): void {
  if (isFull(reason)) throw reason
}

/** A request that is carried out in a copy, and whether its changes stay there. */
interface InCopy<T> extends Pick<Step<T>, 'carryOut'> {
  readonly end: 'committed' | 'rolledBack'
}

const inTurnOf = <T>(store: Store, environment: Environment, { carryOut, end }: InCopy<T>): Promise<T> =>
  store[end]((transaction) =>
    carryOut(withoutEffects(onTables({ ...environment, store }, transaction)), transaction.pause),
  )
