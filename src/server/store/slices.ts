import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { AtOnceTime } from './at-once-time.ts'
import { afterArrivals, inNextTurn, quietTurn } from './next-turn.ts'
import { placeOf } from './places.ts'
import { senderAt } from './senders.ts'
import { TimedLines } from './timed-lines.ts'
import { TimedTurns } from './timed-turns.ts'
import { Turns } from './turns.ts'

/**
 * Work in steps of some milliseconds: between two of them, other requests can be answered. Returns its value. A step of work
 * that remembers something of all that it looks at yields how many things that are.
 */
export type Steps<T> = Generator<number | undefined, T, void>

/** Carries out all steps, one after the other. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Milliseconds of processor time after which no other piece of work begins in the same turn of the event loop. */
export const longestTurn = 20
export const needsTurns = new Error('one turn of the event loop is too short for the transaction')

/** Carries out all steps, one after the other. Throws `needsTurns` once a turn is over before the last of them. */
export function withinTurn<T>(steps: Steps<T>, isOver = beginTurn(longestTurn)): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (isOver()) throw needsTurns
  }
}

/** Work in parts, each of which is done or not: between two of them, a transaction can end. Returns the value of all. */
export type Portions<T> = Generator<Steps<unknown>, T, void>

/** All portions as the steps of one. */
export function* inWhole<T>(portions: Portions<T>): Steps<T> {
  for (;;) {
    const { done, value } = portions.next()
    if (done) return value
    yield* value
    yield
  }
}

/** The next portions, until some milliseconds have passed or none is left: answers what came last. */
function* some<T>(portions: Portions<T>, longest: number): Steps<IteratorResult<unknown, T>> {
  for (const until = performance.now() + longest; ; ) {
    const next = portions.next()
    if (next.done) return next
    yield* next.value
    if (performance.now() > until) return next
    yield
  }
}

/** How portions are written. */
export interface PortionWriting {
  /** Carries out steps in a transaction of its own. */
  readonly write: <T>(steps: () => Steps<T>) => Promise<T>
  /** Milliseconds after which a transaction ends. */
  readonly longest: number
  /** Is awaited between two transactions. */
  readonly pause: () => Promise<void>
}

/** Carries out portions in as many transactions as they take, and resolves with their value. */
export async function inPortions<T>(portions: Portions<T>, { write, longest, pause }: PortionWriting): Promise<T> {
  for (;;) {
    const { done, value } = await write(() => some(portions, longest))
    if (done) return value
    await pause()
  }
}

/** Carries out steps while others have their turns. What `check` throws before a step ends them. */
export async function inTurns<T>(steps: Steps<T>, check = () => {}): Promise<T> {
  for (let isOver = beginTurn(); ; ) {
    check()
    const { done, value } = steps.next()
    if (done) return value
    if (!isOver()) continue
    await quietTurn(turn)
    isOver = beginTurn()
  }
}

/** Milliseconds of processor time after which others have a turn. */
const turn = 5

/** Milliseconds by the clock, of processor time of all threads, and of that of the event loop, as far as is known. */
let measured = { clock: performance.now(), threads: 0, loop: 0 }

/**
 * Milliseconds of processor time of the event loop: how long work takes hardly depends on what else the machine does. The system
 * counts that of other threads with it: no more is taken than has passed by the clock, which is too much only where they run
 * in its place.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  const [clock, threads] = [performance.now(), (user + system) / 1000]
  const passed = Math.min(clock - measured.clock, threads - measured.threads)
  const loop = measured.loop + Math.max(passed, 0)
  measured = { clock, threads, loop }
  return loop
}

let latest = { at: Number.NEGATIVE_INFINITY, time: 0 }

/** The processor time of a millisecond ago at most: the system is asked for it in more time than many a request takes. */
function recentProcessorTime(now: number): number {
  if (Math.abs(now - latest.at) >= 1) latest = { at: now, time: processorTime() }
  return latest.time
}

/**
 * Begins a turn of so many milliseconds of processor time, or one less; the function says whether it is over. The clock,
 * which is read in less time, is asked first.
 */
export function beginTurn(length = turn): () => boolean {
  const began = performance.now()
  const since = recentProcessorTime(began)
  return () => performance.now() - began > length && processorTime() - since > length
}

/** Counts milliseconds that were used in a turn. */
type Took = (milliseconds: number) => void

/** Who asks for work in steps. */
export interface Asker {
  readonly user: { readonly id: string; readonly seeded: number }
  readonly address: string
  /** Whether nobody waits for the result any more. */
  readonly isGone: () => boolean
}

/** When an attempt at work in steps ends before they do. */
interface Attempt {
  /** Milliseconds that count for it already. */
  readonly spent: number
  /** Looks after each step at how many things it remembers, if it remembers something, and at the milliseconds so far. */
  readonly isGivenUp: (remembered: number | undefined, spent: number) => boolean
}
/** The value of work, or the milliseconds that count for it when it was given up. */
type Outcome<T> = { readonly value: T } | { readonly spent: number }
/** Begins again with work for which so many milliseconds count, as it remembers much. */
type Again<T> = (spent: number) => Promise<T>

/** Milliseconds after which half of the time for which somebody had a place for large searches counts no more. */
const largeForgotten = 10_000
const largePlaces = { atOnce: limits.searchesLarge, halfForgotten: largeForgotten }

const service: Asker = { user: { id: '', seeded: 0 }, address: '', isGone: () => false }

/**
 * Gives work in steps its turns: one piece of work for each turn of the event loop. Addresses share the time, and so do the
 * users of each: new work waits once at most for that of each of the others. Of a user little is begun at a time. Work that
 * is soon done waits for no turn. Work that remembers much is continued only when few others do: the map, what else takes
 * little time, and what takes long have places of their own.
 */
export class Slices {
  readonly #now: () => number
  readonly #begun = new Turns({
    atOnce: Number.POSITIVE_INFINITY,
    atOnceOfLine: () => [limits.searchesBegun],
    waiting: limits.searchesWaiting,
    waitingOfLine: limits.searchesOfUser,
    refusal: 'too many searches at once: wait for some of yours',
  })
  readonly #largeOfUser = new Turns({ atOnce: Number.POSITIVE_INFINITY, atOnceOfLine: () => [1] })
  readonly #large = new TimedTurns(largePlaces)
  readonly #longLarge = new TimedTurns(largePlaces)
  readonly #maps = new TimedTurns(largePlaces)
  /** What has begun and waits. */
  readonly #waiting = new TimedLines<(took: Took) => void>()
  /** Milliseconds that were used since the last turn of the event loop. */
  #used = 0
  #isScheduled = false
  #isHeld = false
  readonly #atOnceTime = new AtOnceTime()
  /** Milliseconds of this turn of the event loop in which work was carried out at once. */
  #usedAtOnce = 0

  constructor(now = processorTime) {
    this.#now = now
  }

  /**
   * Carries out the steps that `begin` makes, and resolves with their value. Throws `busy` if they take too long, too
   * much work waits, or the asker is gone.
   */
  async run<T>(begin: () => Steps<T>, asker: Asker = service): Promise<T> {
    const inPlaces = (spent: number) =>
      this.#largeOfUser.take(() => this.#inPlaces(begin, asker, spent), waiterFor(asker))
    return await this.#run(begin, asker, inPlaces)
  }

  /** The same for the map, which waits for nothing else that remembers much. */
  async runMap<T>(begin: () => Steps<T>, asker: Asker): Promise<T> {
    const inPlace = (spent: number) =>
      this.#maps.take(() => this.#toEnd(begin(), asker, spent), senderAt(asker.address, asker.user))
    return await this.#run(begin, asker, inPlace)
  }

  async #run<T>(begin: () => Steps<T>, asker: Asker, again: Again<T>): Promise<T> {
    if (this.#isHeld) return this.atOnce(begin(), asker)
    return await this.#begun.take(() => this.#carryOut(begin(), asker, again), waiterFor(asker))
  }

  /**
   * The same when they begin. Steps that remember much are given up, and begun again in a place for those: what waits for one
   * remembers nothing.
   */
  async #carryOut<T>(steps: Steps<T>, asker: Asker, again: Again<T>): Promise<T> {
    const isGivenUp = (remembered = 0) => remembered > limits.searchRemembers
    const outcome = await this.#attempt(steps, asker, { spent: 0, isGivenUp })
    if ('value' in outcome) return outcome.value
    end(steps)
    checkTime(outcome.spent)
    return await again(outcome.spent)
  }

  /**
   * In a place for what remembers much. Where others wait, what takes long goes on in another one; if that is not free, it
   * begins again, and what it took in the first does not count.
   */
  async #inPlaces<T>(begin: () => Steps<T>, asker: Asker, before: number): Promise<T> {
    const sender = senderAt(asker.address, asker.user)
    const steps = begin()
    const isLong: Attempt['isGivenUp'] = (_, spent) => spent - before > limits.searchLarge && this.#large.waiting > 0
    const outcome = await this.#large.take(
      () => this.#attempt(steps, asker, { spent: before, isGivenUp: isLong }),
      sender,
    )
    if ('value' in outcome) return outcome.value
    checkTime(outcome.spent)
    if (this.#longLarge.hasPlace)
      return await this.#longLarge.take(() => this.#toEnd(steps, asker, outcome.spent), sender)
    end(steps)
    return await this.#longLarge.take(() => this.#toEnd(begin(), asker, before), sender)
  }

  async #toEnd<T>(steps: Steps<T>, asker: Asker, spent: number): Promise<T> {
    const outcome = await this.#attempt(steps, asker, { spent, isGivenUp: () => false })
    if ('value' in outcome) return outcome.value
    throw tooLong()
  }

  /** Carries out steps until they are given up, or have taken too long. Throws `busy` if the asker is gone. */
  async #attempt<T>(steps: Steps<T>, asker: Asker, { spent, isGivenUp }: Attempt): Promise<Outcome<T>> {
    checkThere(asker)
    let count: Took = () => {}
    for (let inAll = spent; ; ) {
      if (this.#used >= limits.searchTurn) {
        count = await this.#turn(asker)
        checkThere(asker)
      }
      const start = this.#now()
      const { done, value } = steps.next()
      const took = this.#now() - start
      inAll += took
      count(took)
      this.#use(took)
      if (done) return { value }
      if (inAll > limits.searchTime || isGivenUp(value, inAll)) return { spent: inAll }
    }
  }

  /**
   * Carries out steps in one turn, for work within a transaction. Throws `busy` if they take too long, or its user, or those of
   * its address and all others, had too much of this second.
   */
  atOnce<T>(steps: Steps<T>, asker: Pick<Asker, 'user' | 'address'>): T {
    const most = this.#atOnceTime.most(asker)
    const start = this.#now()
    try {
      while (this.#now() - start <= most) {
        const { done, value } = steps.next()
        if (done) return value
      }
    } finally {
      const took = this.#now() - start
      this.#atOnceTime.took(asker, took)
      this.#useAtOnce(took)
    }
    throw most < limits.searchAtOnce ? tooMany() : tooLong()
  }

  /** Calls back in the next turn of the event loop in which little has been carried out at once before. */
  readonly inNextTurn = (callback: () => void): void =>
    void inNextTurn(() => {
      if (this.#usedAtOnce > limits.searchTurn) this.inNextTurn(callback)
      else callback()
    })

  /** Has all steps carried out at once until the function that it returns is called. */
  hold(): () => void {
    this.#isHeld = true
    return () => {
      this.#isHeld = false
    }
  }

  /** How many pieces of work wait for their turn. */
  get waiting(): number {
    const large = [this.#largeOfUser, this.#large, this.#longLarge, this.#maps]
    return large.reduce((sum, { waiting }) => sum + waiting, this.#begun.waiting + this.#waiting.size)
  }

  #use(milliseconds: number): void {
    this.#used += milliseconds
    this.#schedule()
  }

  #useAtOnce(milliseconds: number): void {
    if (this.#usedAtOnce === 0)
      inNextTurn(() => {
        this.#usedAtOnce = 0
      })
    this.#usedAtOnce += milliseconds
  }

  #turn({ user, address }: Asker): Promise<Took> {
    return new Promise((resolve) => this.#waiting.push([placeOf(address), user.id], resolve))
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    afterArrivals(() => {
      this.#isScheduled = false
      this.#used = 0
      const next = this.#waiting.shift()
      next?.item(next.took)
      if (this.#waiting.size > 0) this.#schedule()
    }, limits.searchTurn)
  }
}

const waiterFor = ({ user, isGone }: Asker) => ({ line: [user.id], isGone })

/** Has steps forget what they remember. */
function end(steps: Iterator<unknown, unknown, void>): void {
  steps.return?.()
}

function checkTime(spent: number): void {
  if (spent > limits.searchTime) throw tooLong()
}

function checkThere({ isGone }: Asker): void {
  if (isGone()) throw new ApiError('busy', 'the connection was closed before the search had ended')
}

const tooMany = () =>
  new ApiError('busy', 'searches in actions and dry runs took too much of this second: try again in a second')

const tooLong = () =>
  new ApiError(
    'busy',
    'the search takes too long: name a template, a folder or an owner in its scope, and compare fewer custom properties if it compares any',
  )
