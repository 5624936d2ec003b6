import type { DryRunPlace } from '../../contract/api/dry-run.ts'
import { ApiError } from '../../contract/api/errors.ts'
import { warning } from '../../contract/api/warnings.ts'
import { limits } from '../../contract/limits.ts'
import { tooManyActions } from '../actions/background-actions.ts'
import { Reservations } from '../actions/callers.ts'
import type { Assets } from '../assets/asset-folder.ts'
import { Logins } from '../auth/attempts.ts'
import { onTables } from '../domain/caller.ts'
import type { Environment } from '../environment.ts'
import { freeClosed } from '../store/database/sqlite.ts'
import { copyOf, type Store } from '../store/store.ts'
import { Turns } from '../store/turns.ts'
import { CallLimit } from './call-limit.ts'

/** A request of a dry run. */
export interface Step<T = unknown> {
  readonly carryOut: (environment: Environment) => Promise<T>
  readonly changes: boolean
  /** Characters of its body. */
  readonly size: number
}

/**
 * Dry runs: a request is carried out in a transaction that is rolled back, in an environment in which nothing leaves
 * the database.
 */
export class DryRuns {
  /** By caller and id, those that were changed last at the end. */
  readonly #runs = new Map<string, DryRun>()
  readonly #room = new Room()

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
    const run = this.#runs.get(key) ?? new DryRun(caller, user, this.#room)
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

/** The memory that all copies take together, and the time. */
class Room {
  readonly #taken = new Map<DryRun, number>()
  /** Of copies that were removed, and may not have given it back yet. */
  #removed = 0
  /** By user, until when copies count. */
  readonly #counted = new Map<string, number>()

  /** Notes how many bytes the copy of a dry run takes. Throws `busy` where a quarter of the memory is taken. */
  take(run: DryRun, bytes: number, memory: number): void {
    if (this.#without(run) + bytes > memory / 4) throw new ApiError('busy', 'too many long dry runs at once')
    this.#taken.set(run, bytes)
  }

  /** Has copies that were removed give back what they took, where that is more than there is. */
  async free(memory: number): Promise<void> {
    if (this.#without() + this.#removed <= memory / 4) return
    this.#removed = 0
    await freeClosed()
  }

  giveBack(run: DryRun): void {
    this.#removed += this.#taken.get(run) ?? 0
    this.#taken.delete(run)
  }

  /** The bytes that the copies of all other dry runs take. */
  #without(run?: DryRun): number {
    let all = 0
    for (const [other, bytes] of this.#taken) if (other !== run) all += bytes
    return all
  }

  /** Counts a copy. Throws `busy` if too many were made for the user just now. */
  count(user: string): void {
    const now = performance.now()
    for (const [one, until] of this.#counted) if (until <= now) this.#counted.delete(one)
    const until = (this.#counted.get(user) ?? now) + second
    if (until - now > limits.dryRunCopies * second)
      throw new ApiError('busy', 'the dry run begins again at earlier changes too often: wait a second')
    this.#counted.set(user, until)
  }
}

const second = 1000

/** Who asks for a dry run. */
interface DryRunAsker {
  /** Id of a user, or the address of somebody who is not signed in. */
  readonly caller: string
  readonly user?: string | undefined
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean
}

interface Place extends DryRunPlace, DryRunAsker {}

/** Which of the others has to go for a dry run: the oldest of its caller, or one that has been idle. Throws `busy`. */
function replacedBy<T extends readonly [string, DryRun]>({ caller }: DryRun, others: readonly T[]): T | undefined {
  const own = others.filter(([, run]) => run.caller === caller)
  if (own.length >= limits.dryRunsOfCaller) return own[0]
  if (others.length < limits.dryRuns) return undefined
  const replaced = others.find(([, run]) => run.isIdle()) ?? own[0]
  if (!replaced) throw new ApiError('busy', 'too many dry runs at once')
  return replaced
}

/**
 * A dry run of several requests. A few changes are remembered as requests and carried out again before the next one, in
 * one transaction: none stays open between two requests. More changes are made in a copy of the database, so that each
 * request costs no more than a single one.
 */
class DryRun {
  readonly caller: string
  /** Id of the caller; empty for one who is not signed in. */
  readonly user: string
  #steps: readonly Step[] = []
  /** What its remembered changes take, if each character takes two bytes. */
  bytes = 0
  #lastUsed = 0
  #copy: Copy | undefined
  readonly #room: Room
  #idle: NodeJS.Timeout | undefined
  /** Its copy is not removed while a request uses it. */
  readonly #turns = new Turns({ atOnce: 1 })

  constructor(caller: string, user: string, room: Room) {
    this.caller = caller
    this.user = user
    this.#room = room
  }

  readonly isIdle = (): boolean => performance.now() - this.#lastUsed >= limits.dryRunIdle

  /** Throws `dryRunLost`, or `dryRunFull` if the answer would cost too much. */
  carryOut<T>(environment: Environment, { changes, ...asker }: Place, step: Step<T>): Promise<T> {
    this.#lastUsed = performance.now()
    return this.#turns.take(async () => {
      const before = this.#steps.slice(0, changes)
      if (before.length < changes) throw new ApiError('dryRunLost')
      const steps = step.changes ? [...before, step] : before
      checkBounds(steps)
      const value =
        changes > limits.dryRunRepeated
          ? await this.#inCopy(environment, before, step)
          : await rolledBackAfter(before, environment, step, asker)
      if (step.changes) {
        this.#steps = steps
        this.bytes = 2 * sizeOf(steps)
      }
      return value
    })
  }

  readonly close = (): Promise<void> => this.#turns.take(() => this.#removeCopy())

  async #inCopy<T>(environment: Environment, before: readonly Step[], step: Step<T>): Promise<T> {
    const copy = this.#copyAfter(before.length) ?? (await this.#makeCopy(environment, before))
    clearTimeout(this.#idle)
    this.#idle = setTimeout(this.close, limits.dryRunIdle).unref()
    try {
      const value = await inTurnOf(copy.store, environment, step)
      if (step.changes) this.#changed(environment, copy)
      return value
    } catch (error) {
      // What else fails may have ended the transaction of the copy.
      if (!(error instanceof ApiError) || error.kind === 'dryRunFull') await this.#removeCopy()
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

  /** Throws `dryRunFull` if the copy takes too much memory. */
  #changed({ memory }: Environment, copy: Copy): void {
    copy.done++
    copy.places++
    if (copy.places > limits.dryRunPlaces) {
      copy.store.settle()
      copy.places = 0
    }
    try {
      this.#room.take(this, copy.store.size(), memory)
    } catch {
      throw new ApiError('dryRunFull')
    }
  }

  /** A copy of the database in which the changes before a request were made. */
  async #makeCopy(environment: Environment, before: readonly Step[]) {
    await this.#removeCopy()
    const bytes = environment.store.size()
    if (bytes > limits.dryRunCopy) throw new ApiError('dryRunFull')
    try {
      this.#room.take(this, bytes, environment.memory)
      this.#room.count(this.user)
      await this.#room.free(environment.memory)
      const store = await copyOf(environment.store)
      const copy = { store, done: before.length, places: 0 }
      this.#copy = copy
      const checkTime = deadline()
      for (const step of before) {
        await inTurnOf(store, environment, step).catch(() => undefined)
        store.settle()
        checkTime()
      }
      return copy
    } catch (error) {
      await this.#removeCopy()
      throw error
    }
  }

  async #removeCopy(): Promise<void> {
    clearTimeout(this.#idle)
    const copy = this.#copy
    this.#copy = undefined
    await copy?.store.close()
    this.#room.giveBack(this)
  }
}

/** A copy of the database, and how many of the dry run's changes were made in it. */
interface Copy {
  readonly store: Store
  done: number
  /** How many of them, the last, it can take back. */
  places: number
}

const sizeOf = (steps: readonly Step[]) => steps.reduce((sum, { size }) => sum + size, 0)

function checkBounds(steps: readonly Step[]): void {
  if (steps.length > limits.dryRunChanges || sizeOf(steps) > limits.dryRunBodies) throw new ApiError('dryRunFull')
}

/** Throws `dryRunFull` once the time to carry out earlier changes again is over. */
function deadline(): () => void {
  const end = performance.now() + limits.dryRunTime
  return () => {
    if (performance.now() > end) throw new ApiError('dryRunFull')
  }
}

/** A request after others, all in one transaction that is rolled back. */
const rolledBackAfter = <T>(
  before: readonly Step[],
  environment: Environment,
  step: Step<T>,
  { caller, isGone }: DryRunAsker,
): Promise<T> =>
  environment.store.rolledBack(
    async (transaction) => {
      const dry = withoutEffects(onTables(environment, transaction))
      const checkTime = deadline()
      for (const { carryOut } of before) {
        // Others may have changed the service since: what was possible may be refused now.
        await carryOut(dry).catch(() => undefined)
        checkTime()
      }
      return await step.carryOut(dry)
    },
    { line: [caller], isGone },
  )

/** A request whose changes are stored in a copy. */
const inTurnOf = <T>(store: Store, environment: Environment, { carryOut, changes }: Step<T>): Promise<T> =>
  store[changes ? 'committed' : 'rolledBack']((transaction) =>
    carryOut(withoutEffects(onTables({ ...environment, store }, transaction))),
  )

/** An environment in which no file is changed, no handler called, and no session of the process ended. */
function withoutEffects(environment: Environment): Environment {
  const { assets, actions, passwords, localSession } = environment
  return {
    ...environment,
    assets: untouched(assets),
    passwords: { ...passwords, hash: async () => 'of a dry run' },
    logins: new Logins(),
    callLimit: new CallLimit(0, environment.clock),
    localSession: { ...localSession },
    actions: {
      ...actions,
      later: { signal: actions.later.signal, run: () => undefined, idle: async () => {}, end: async () => {} },
      handled: new Turns({ atOnce: 1, waiting: 0, refusal: tooManyActions }),
      reservations: new Reservations(),
      call: async (_url, { scope }, { name }) => {
        const message = `the handler of ${name} is not called in a dry run: its answer and its changes are not predicted`
        scope.warn(warning('handler-not-called', '', message))
        return {}
      },
    },
  }
}

/** The folder of assets, read only. Uploads are refused before they reach it. */
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
