import type { IncomingHttpHeaders } from 'node:http'
import { type DryRunPlace, dryRunValues, parsePlace } from '../../contract/api/dry-run.ts'
import { dryRunHeader } from '../../contract/api/dry-run-header.ts'
import { isChange } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import type { Operation } from '../../contract/api/table.ts'
import { limits } from '../../contract/limits.ts'
import { isOwn } from '../domain/access.ts'
import type { Removed } from '../domain/caller.ts'
import type { Environment } from '../environment.ts'
import type { Scope } from '../operations/handler.ts'
import { handlerOf } from '../operations/index.ts'
import { placeOf } from '../store/places.ts'
import { type Sender, senderAt } from '../store/senders.ts'
import { isOwnRoute } from '../testing/journal.ts'
import { type Bodies, withoutTokens } from '../testing/kept-bodies.ts'
import { SentParts } from '../testing/sent-parts.ts'
import { type Answer, failureAnswer, successAnswer } from './answers.ts'
import { type Identity, identify, isAdministrator } from './authenticate.ts'
import { type Call, callerNow, carryOut, rememberedOf } from './call.ts'
import { callerOf } from './compatibility.ts'
import type { Step } from './dry-run.ts'
import { Notices } from './notices.ts'
import type { Contents } from './parse.ts'
import { predictedPayload } from './predicted-payload.ts'
import { presentOf } from './present.ts'
import type { Route } from './routes.ts'
import { checkNamed } from './strict-spec.ts'

/** What is known of a request from its beginning. */
interface RequestLine {
  /** The `request_id` of the answer. */
  readonly id: string
  readonly method: string
  /** Path and query, as they came. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Where it comes from: an IP address, or this process. */
  readonly address: string
  /** Whether its connection is closed. */
  readonly isGone: () => boolean
}

/**
 * The life of a request, over the network or from this process: it is authenticated, parsed, performed, answered, and
 * written to the journal and the log. A request that is not for an operation of the API has only the last two steps.
 */
export class RequestLife {
  /** The operation, as soon as it is known. */
  operation: Operation | undefined
  /** Whether a scenario was applied to it. */
  isInjected = false
  /** Whether the console sent it. */
  isConsole = false
  /** Whether it compares the files of the console with the service: it is listed as the console's, and may no more than others. */
  isComparison = false
  /** What is read of an upload; undefined where the journal keeps no bodies. */
  readonly parts: SentParts | undefined
  readonly #environment: Environment
  #line: RequestLine
  readonly #journal: number
  readonly #started = performance.now()
  #identity: Identity = {}
  readonly #notices = new Notices()
  #dryRun: DryRunPlace | 'alone' | undefined
  #errorCode: number | undefined
  #removed: Removed | undefined
  #bodyLength = 0

  constructor(environment: Environment, line: RequestLine) {
    this.#environment = presentOf(environment)
    this.#line = line
    this.parts = environment.testing.journal.keepsBodies ? new SentParts() : undefined
    this.#journal = environment.testing.journal.restarts
  }

  /** Finds out who makes a request for an operation, or throws the error that refuses it. Spec 5. */
  authenticate(route: Route, headers: IncomingHttpHeaders): void {
    this.#readDryRun(route, headers[dryRunHeader])
    const environment = this.#environment
    environment.store.checkVersion()
    this.#identity = identify(callerOf(route, headers, environment.compat), headers, environment)
    if (environment.strictSpec) checkNamed(route)
  }

  /** Id of the user who sent it, once it is authenticated. */
  get user(): string | undefined {
    return this.#identity.user?.id
  }

  /** Whether it goes before others, as those of publishers of the service do. */
  get isFirst(): boolean {
    return this.#sender.isFirst
  }

  /** Whether its connection is closed. */
  get isGone(): () => boolean {
    return this.#line.isGone
  }

  /** Aborted once all data of the service is replaced, which ends the request. */
  get era(): AbortSignal {
    return this.#environment.store.era()
  }

  get #sender(): Sender {
    return senderAt(this.#line.address, this.#identity.user)
  }

  /** Throws `busy` if there is no room for a body of so many bytes, before it arrives. */
  checkRoom(bytes: number): void {
    this.#environment.heldBodies.check(this.#sender, bytes)
  }

  /** Throws `unauthorized` if the session of the request ended after it was authenticated, as its body arrives later. */
  checkSession(): void {
    if (this.#identity.user && !callerNow(this.#identity, this.#environment)) throw new ApiError('unauthorized')
  }

  /** Whether its caller, if it has one, is signed in still, and an administrator of the publisher of whom they were one. */
  get isOfCaller(): boolean {
    const { user } = this.#identity
    if (!user) return true
    const now = callerNow(this.#identity, this.#environment)
    return now !== undefined && (!isAdministrator(user) || isOwn({ user: now }, { publisher_fqdn: user.pub_fqdn }))
  }

  /** Parses the contents of the request, carries out its operation and answers it. Throws what `fail` answers. */
  async perform(route: Route, contents: Contents): Promise<Answer> {
    this.#bodyLength = Buffer.byteLength(contents.body)
    const release = this.#hold()
    try {
      this.#notices.assumption(route.row.assumed)
      const handler = await handlerOf(route.operation)
      if (this.era.aborted) throw new ApiError('replaced')
      const [identity, service] = [this.#identity, this.#environment]
      const { address, url } = this.#line
      const payload = await this.#answer({ route, handler, contents, url, identity, address, service })
      return successAnswer(this.#line.id, payload, this.#notices.headers())
    } finally {
      release()
    }
  }

  #answer(call: Call): unknown {
    const { removed } = this
    const bearing = { notices: this.#notices, hold: this.#hold, removed, isGone: () => this.#line.isGone() }
    if (this.#dryRun === undefined) return carryOut(call, this.#environment, bearing)
    return this.#predict(this.#dryRun, call.route, {
      carryOut: async (environment, pause) => predictedPayload(await carryOut(call, environment, bearing), pause),
      remembered: isChange(call.route.row) ? rememberedOf(call) : undefined,
    })
  }

  /** A read that no change precedes is carried out as ever: its answer only says that the header arrived. */
  #readDryRun({ row }: Route, header: string | string[] | undefined): void {
    if (header === undefined) return
    const place = parsePlace(String(header))
    if (place === undefined) throw new ApiError('invalid', dryRunValues)
    this.#notices.dryRun()
    const isAfterChanges = place !== 'alone' && place.changes > 0
    if (isAfterChanges || isChange(row)) this.#dryRun = place
  }

  /** What the operation would answer; nothing is stored. Throws `dryRunRefused` for an upload, and for a password or code. */
  #predict(place: DryRunPlace | 'alone', { row, operation }: Route, step: Step): Promise<unknown> {
    if (counted.includes(operation)) throw new ApiError('dryRunRefused')
    if (row.upload)
      throw new ApiError('dryRunRefused', 'no dry run can predict the answer to an upload: its files would be stored')
    const { dryRuns } = this.#environment
    const { address, isGone } = this.#line
    const { id: user = '', seeded } = this.#identity.user ?? {}
    const from = placeOf(address)
    const asker = { caller: user || from, user, place: from, isFirst: seeded === 1, isGone }
    if (place === 'alone') return dryRuns.alone(this.#environment, asker, step)
    return dryRuns.following(this.#environment, { ...place, ...asker }, step)
  }

  /** Answers a failure: what fails once all data is replaced has failed for that reason. */
  fail(error: unknown): Answer {
    const reason = this.operation !== undefined && this.era.aborted ? new ApiError('replaced') : error
    return this.answeredWith(failureAnswer(this.#environment, reason, this.#line.id))
  }

  /** Adds the headers to an answer, and records its error. */
  answeredWith(answer: Answer): Answer {
    this.#errorCode = answer.code
    return { ...answer, headers: { ...answer.headers, ...this.#notices.headers() } }
  }

  /** Adds the request to journal, metrics and traces; `status` is null where the connection was closed without an answer. */
  record(status: number | null, bodies?: Bodies): void {
    const milliseconds = performance.now() - this.#started
    const entry = {
      at: this.#environment.clock(),
      method: this.#line.method,
      url: this.#line.url,
      status,
      milliseconds,
      requestId: this.#line.id,
      journal: this.#journal,
      operation: this.operation,
      error: this.#errorCode,
      injected: this.isInjected,
      dryRun: this.#dryRun !== undefined,
      removed: this.#removed,
      user: this.#identity.user?.id,
      console: this.isConsole || this.isComparison,
    }
    this.#environment.testing.journal.add(entry, bodies)
    if (isOwnRoute(this.#line.url)) return
    const { requests, traces } = this.#environment.monitoring
    requests.add(this.operation ?? 'other', String(status ?? 'dropped'), milliseconds)
    traces?.add(entry, this.#line.headers)
    this.#line = withoutConnection(this.#line)
  }

  /** Has the journal say how much the request removed, where that is more than one record. */
  readonly removed: Scope['removed'] = (what) => {
    this.#removed = what
  }

  /** Writes one line about the request to the log: neither its query nor any body, nor a token in its path. */
  log(status: number | 'dropped'): void {
    const { log } = this.#environment
    if (!log) return
    const { id, method, url } = this.#line
    const path = withoutTokens(url.split('?', 1)[0] ?? '').slice(0, limits.loggedPath)
    const elapsed = (performance.now() - this.#started).toFixed(1)
    const isDry = this.#dryRun !== undefined
    log(`${method} ${path} ${status} ${elapsed}ms ${id}${isDry ? ' dry run' : ''}`, {
      ...{ event: 'request', request_id: id, method, path, status, duration_ms: Number(elapsed) },
      ...(this.operation && { operation: this.operation }),
      ...(this.user !== undefined && { user_id: this.user }),
      ...(isDry && { dry_run: true }),
    })
  }

  readonly #hold = (): (() => void) =>
    this.#bodyLength === 0 ? () => {} : this.#environment.heldBodies.hold(this.#sender, this.#bodyLength)
}

/** What is done after the answer, as by actions that are not waited for, keeps neither the headers nor the connection. */
const withoutConnection = ({ id, method, url, address }: RequestLine): RequestLine => ({
  ...{ id, method, url, address },
  headers: {},
  isGone: () => false,
})

/** Operations that count wrong passwords and codes: a dry run, which counts none, would let them be guessed. */
const counted: readonly Operation[] = ['login', 'verifyUserToken']
