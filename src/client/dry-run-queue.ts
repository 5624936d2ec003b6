import { DryRunAnswers, dryRunListPath, printPlace } from '../contract/api/dry-run.ts'
import { dryRunDone, dryRunHeader } from '../contract/api/dry-run-header.ts'
import { isCounted } from '../contract/api/endpoint.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { limits } from '../contract/limits.ts'
import { at } from '../contract/schema/path.ts'
import { readAnswer } from './answer.ts'
import { arrivalFinder, blockedAnswer } from './arriving.ts'
import { UnexpectedAnswerError, UnreachableError } from './errors.ts'
import { rowOf } from './raw.ts'
import { countAttempts, secondsToWait, withAttempts } from './retry.ts'
import type { Transport } from './transport.ts'

/** A request that waits for its turn. */
interface Waiting {
  readonly request: WireRequest
  readonly isChange: boolean
  readonly resolve: (response: WireResponse) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Why a service predicts no more: it would cost too much, as `reason` says in its words, it has forgotten the earlier requests, or the header of dry runs
 * does not arrive with the next one.
 */
export type End = { readonly why: 'full'; readonly reason: string } | { readonly why: 'forgotten' | 'blocked' }

export interface QueueOptions {
  readonly send: Transport
  /** Whether there is something on the way to the service, which may remove the header of dry runs. */
  readonly isOnNetwork: boolean
  /** Whether an answer says that others come first, and the request was not carried out. */
  readonly isBusy: (response: WireResponse) => boolean
  /** Why an answer says that the service predicts no more; undefined if it does not. */
  readonly endOf: (response: WireResponse) => End | undefined
  /** Receives the number of predicted answers when the service predicts no more. */
  readonly atEnd: (predicted: number, end: End) => void
  /** Called once, when others come first for the first time. */
  readonly onBusy: () => void
}

/**
 * The requests of one dry run. They are sent one after the other, because each states how many changes precede it, and again
 * where an answer gets lost: the service takes back what it predicted behind that place. On a network, changes are sent as
 * a list, those that wait together in one: it is a dry run by its path, whatever becomes of its headers. A service can refuse
 * lists: then each change is sent once it is known that its header arrives. What the service has no room for yet is sent
 * again. Once the service predicts no more, reads are sent without the dry run, and changes get the answer that ended it.
 */
export class DryRunQueue {
  readonly #id = crypto.randomUUID()
  readonly #options: QueueOptions
  readonly #waiting: Waiting[] = []
  readonly #arrives: (change: WireRequest) => Promise<boolean>
  #takesLists: boolean
  #isSending = false
  #changes = 0
  #predicted = 0
  #ended: WireResponse | undefined
  /** Whether a request did not arrive as a dry run: no other is sent. */
  #isUnsafe = false
  #wasBusy = false
  /** Why the answer to a change is not known: those after it would be answered as if it had not been made. */
  #lost: { readonly reason: unknown } | undefined

  constructor(options: QueueOptions) {
    this.#options = options
    this.#takesLists = options.isOnNetwork
    this.#arrives = options.isOnNetwork ? arrivalFinder(options.send) : async () => true
  }

  readonly read: Transport = (request) => this.#add(request, false)
  readonly change: Transport = (request) => this.#add(request, true)

  #add(request: WireRequest, isChange: boolean): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, isChange, resolve, reject })
      if (!this.#isSending) void this.#sendAll()
    })
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    // What is asked for in this turn waits together.
    if (this.#takesLists) await new Promise((resolve) => setTimeout(resolve))
    for (let [next] = this.#waiting; next; [next] = this.#waiting) await this.#sendNext(next)
    this.#isSending = false
  }

  async #sendNext(first: Waiting): Promise<void> {
    if (this.#isListed(first)) return this.#sendList(this.#waiting.splice(0, this.#countTogether(first)))
    this.#waiting.shift()
    return settle(first, () => this.#sendOne(first))
  }

  /** Whether a request is sent in a list: an operation whose calls are counted is refused there, as is what is too long. */
  #isListed(one: Waiting): boolean {
    const isSent = !this.#isUnsafe && this.#ended === undefined && this.#lost === undefined
    return isSent && this.#takesLists && isListable(one)
  }

  /** How many of the waiting requests fit in a list. */
  #countTogether(first: Waiting): number {
    const listed = this.#waiting.slice(0, limits.dryRunListed)
    let size = 0
    const end = listed.findIndex((one) => {
      size += sizeOf(one)
      return !isListable(one) || authorizationOf(one) !== authorizationOf(first) || size > longestList
    })
    return end === -1 ? listed.length : end
  }

  async #sendOne(one: Waiting): Promise<WireResponse> {
    const { request, isChange } = one
    const { send } = this.#options
    if (isChange && this.#isUnsafe) throw unsent(request)
    if (isChange && this.#lost) throw this.#lost.reason
    if (isChange && this.#ended) return this.#ended
    if (!isChange && (this.#changes === 0 || this.#ended)) return send(request)
    if (isChange && !(await this.#answered(true, () => this.#arrives(request))))
      return this.#end({ why: 'blocked' }, blockedAnswer())
    const place = printPlace({ id: this.#id, changes: this.#changes })
    const headers = { ...request.headers, [dryRunHeader]: place }
    const placed = { ...request, headers, changes: false, repeatable: true }
    const response = this.#received(one, await this.#answered(isChange, () => this.#patiently(placed)))
    return this.#ended && !isChange ? send(request) : response
  }

  /** Sends changes as a list; those that get no answer wait again. */
  async #sendList(list: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#answered(true, () => this.#listed(list.map(({ request }) => request)))
      this.#takesLists = answers.length > 0
      this.#waiting.unshift(...list.slice(answers.length))
      for (const [index, one] of list.entries()) {
        const answer = answers[index]
        if (answer) await settle(one, async () => this.#received(one, answer))
      }
    } catch (error) {
      for (const { reject } of list) reject(error)
    }
  }

  /**
   * The answers to the first requests of a list, or to all; none if the service refuses the list, or the first one does not
   * get there: what is on the way may let through the paths of the API alone.
   */
  async #listed(requests: readonly WireRequest[]): Promise<readonly WireResponse[]> {
    try {
      return await this.#answersTo(requests)
    } catch (error) {
      const isOnTheWay = error instanceof UnexpectedAnswerError || (error instanceof UnreachableError && !error.waited)
      if (isOnTheWay && this.#predicted === 0) return []
      throw error
    }
  }

  async #answersTo(requests: readonly WireRequest[]): Promise<readonly WireResponse[]> {
    const body = JSON.stringify({
      id: this.#id,
      changes: this.#changes,
      requests: requests.map(({ method, path, body }) => ({ method, path, body })),
    })
    const [first] = requests
    const { method, path } = listRow
    const request = { method, path, headers: first?.headers ?? {}, body, changes: false, repeatable: true }
    const response = await this.#patiently(request)
    if (this.#options.isBusy(response)) return requests.map(() => response)
    return response.status === 200 ? readAnswer(listRow, response, request) : []
  }

  async #answered<T>(isChange: boolean, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (reason) {
      if (isChange) this.#lost = { reason }
      throw reason
    }
  }

  /** Sends a request, and again while the service asks to wait: others are before it, whose dry runs end. */
  async #patiently(request: WireRequest): Promise<WireResponse> {
    const { send, isBusy } = this.#options
    const start = performance.now()
    for (let attempts = 0; ; ) {
      const response = await send(request).catch((error: unknown) => {
        throw countAttempts(error, attempts + attemptsOf(error), performance.now() - start)
      })
      attempts += attemptsOf(response)
      const seconds = isBusy(response) ? secondsToWait(response) : undefined
      const elapsed = performance.now() - start
      if (seconds === undefined || elapsed + seconds * 1000 > limits.dryRunPatience)
        return withAttempts(response, attempts, elapsed)
      this.#tellBusy()
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }

  #tellBusy(): void {
    if (!this.#wasBusy) this.#options.onBusy()
    this.#wasBusy = true
  }

  /** Counts an answer. Throws if it does not say that its request arrived as a dry run. */
  #received({ request, isChange }: Waiting, response: WireResponse): WireResponse {
    if (response.status === 200 && response.headers[dryRunHeader] !== dryRunDone) {
      this.#isUnsafe = true
      throw unmarked(request, isChange)
    }
    const end = this.#options.endOf(response)
    if (end !== undefined) this.#end(end, response)
    if (isChange && response.status === 200) this.#changes++
    if (isChange && !this.#ended) this.#predicted++
    return response
  }

  #end(end: End, response: WireResponse): WireResponse {
    this.#ended = response
    this.#options.atEnd(this.#predicted, end)
    return response
  }
}

const listRow = { method: 'POST', path: dryRunListPath, errors: [], payload: DryRunAnswers } as const

const unmarked = ({ method, path }: WireRequest, mayBeDone: boolean) =>
  new UnexpectedAnswerError(
    `${method} ${path} was sent as a dry run, but the answer is not marked as one${mayBeDone ? ': it may have been carried out' : ''}`,
    { mayBeDone, isDryRun: true },
  )

const unsent = ({ method, path }: WireRequest) =>
  new UnexpectedAnswerError(`${method} ${path} was not sent: an earlier dry run was not answered as one`)

async function settle({ resolve, reject }: Waiting, work: () => Promise<WireResponse>): Promise<void> {
  await work().then(resolve, reject)
}

/** How often was asked for an answer or an error. */
const attemptsOf = (outcome: unknown) => Number(at(outcome, 'repeated', 'attempts') ?? 1)

/** Characters of the requests of a list, each of which can take two in its JSON. */
const longestList = limits.body / 2

const isListable = (one: Waiting): boolean => {
  const row = rowOf(one.request)
  const isShort = one.request.path.length <= limits.dryRunPath && sizeOf(one) <= longestList
  return one.isChange && isShort && row !== undefined && !isCounted(row)
}

const sizeOf = ({ request: { path, body = '' } }: Waiting) => path.length + body.length + 64
const authorizationOf = ({ request }: Waiting) => request.headers.authorization
