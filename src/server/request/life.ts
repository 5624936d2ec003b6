import type { IncomingHttpHeaders } from 'node:http'
import { type DryRunPlace, dryRunDone, dryRunHeader, dryRunOffered, parsePlace } from '../../contract/api/dry-run.ts'
import { type Endpoint, isChange } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import type { Operation } from '../../contract/api/table.ts'
import { type Warning, warningHeader } from '../../contract/api/warnings.ts'
import type { Files } from '../../contract/api/wire.ts'
import type { Environment } from '../environment.ts'
import type { Scope } from '../operations/handler.ts'
import { type AnyHandler, handlerOf } from '../operations/index.ts'
import { type Answer, failureAnswer, type NoticeHeader, type Notices, successAnswer } from './answers.ts'
import { type Identity, identify } from './authenticate.ts'
import { assumptionOf, headerText } from './notices.ts'
import { bodyOf, validated } from './parse.ts'
import type { Route } from './routes.ts'

/** What a request is known by from its beginning. */
interface RequestLine {
  /** The answer names it. */
  readonly id: string
  readonly method: string
  /** Path and query, as they came. */
  readonly url: string
}

/** What a request came with. */
export interface Contents {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: string
  /** What an upload brings, one file after the other. */
  readonly files: Files | undefined
  readonly ifNoneMatch: string | undefined
  /** Address under which the caller reaches the service. */
  readonly baseUrl: string
}

/**
 * The one life of a request, through whatever door it came: it is authenticated, parsed, performed, answered, and put
 * into the journal and the log. Requests for what is no operation have only the last two.
 */
export class RequestLife {
  /** What is asked for, as soon as that is known. */
  operation: Operation | undefined
  /** Whether a scenario had a hand in its answer. */
  isInjected = false
  readonly #environment: Environment
  readonly #line: RequestLine
  readonly #started = performance.now()
  #identity: Identity = {}
  #notices: Partial<Record<NoticeHeader, string>> = { [dryRunHeader]: dryRunOffered }
  #warnings: Warning[] = []
  #dryRun: DryRunPlace | 'alone' | undefined
  #errorCode: number | undefined

  constructor(environment: Environment, line: RequestLine) {
    this.#environment = environment
    this.#line = line
  }

  /** Finds out who makes a request for an operation; throws what they are refused with. Spec 5. */
  authenticate({ row }: Route, headers: IncomingHttpHeaders): void {
    const asked = headers[dryRunHeader]
    if (asked !== undefined) this.#beDry(String(asked))
    this.#identity = identify(row.auth, headers, this.#environment)
    if (this.#environment.strictSpec && row.assumed) throw new ApiError('assumedOff')
  }

  /** Parses what the request came with, carries out its operation and answers it. */
  async perform({ operation, row }: Route, contents: Contents): Promise<Answer> {
    try {
      const assumption = assumptionOf(operation)
      if (assumption) this.#notices['vatom-assumed'] = assumption
      const found = handlerOf(operation)
      const handler = found instanceof Promise ? await found : found
      const payload =
        this.#dryRun === undefined
          ? await this.#carryOut(handler, row, contents, this.#environment)
          : await this.#foresee(this.#dryRun, handler, row, contents)
      return successAnswer(this.#line.id, payload, this.#headers())
    } catch (error) {
      return this.fail(error)
    }
  }

  #beDry(asked: string): void {
    this.#dryRun = parsePlace(asked)
    if (this.#dryRun === undefined)
      throw new ApiError('invalid', 'Vatom-Dry-Run is true, or ID/N in a dry run of several')
    this.#notices[dryRunHeader] = dryRunDone
  }

  /** What the operation answers; a dry run may carry it out again. */
  #carryOut(handler: AnyHandler, row: Endpoint, contents: Contents, environment: Environment): unknown {
    this.#warnings = []
    const scope = this.#scope(contents, environment)
    return handler(scope, this.#input(row, contents, scope))
  }

  /** What the operation would answer; nothing of it is stored. Throws `dryRunRefused` for an upload. */
  #foresee(place: DryRunPlace | 'alone', handler: AnyHandler, row: Endpoint, contents: Contents): Promise<unknown> {
    if (row.upload) throw new ApiError('dryRunRefused', 'no dry run can foresee an upload: its files would be stored')
    const { dryRuns } = this.#environment
    const step = {
      carryOut: async (environment: Environment) => await this.#carryOut(handler, row, contents, environment),
      changes: isChange(row),
      size: contents.body.length,
    }
    if (place === 'alone') return dryRuns.alone(this.#environment, step)
    const id = `${this.#identity.user?.id} ${place.id}`
    return dryRuns.following(this.#environment, { ...place, id }, step)
  }

  /** Answers a failure. */
  fail(error: unknown): Answer {
    return this.answeredWith(failureAnswer(this.#environment, error, this.#line.id))
  }

  /** Takes note of an answer that was made elsewhere. */
  answeredWith(answer: Answer): Answer {
    this.#errorCode = answer.code
    return { ...answer, headers: { ...answer.headers, ...this.#headers() } }
  }

  /** What the answer says besides its payload. */
  #headers(): Notices {
    return this.#warnings.length > 0
      ? { ...this.#notices, 'vatom-warning': warningHeader(this.#warnings) }
      : this.#notices
  }

  /** Puts the request into the journal; `status` is null where the connection is closed in place of an answer. */
  record(status: number | null): void {
    this.#environment.testing.journal.add({
      at: this.#environment.clock(),
      method: this.#line.method,
      url: this.#line.url,
      status,
      milliseconds: performance.now() - this.#started,
      requestId: this.#line.id,
      operation: this.operation,
      error: this.#errorCode,
      injected: this.isInjected,
      dryRun: this.#dryRun !== undefined,
    })
  }

  /** Writes one line about the request to the log: neither its query nor any body. */
  log(status: number | 'dropped'): void {
    const { log } = this.#environment
    if (!log) return
    const { id, method, url } = this.#line
    const path = url.split('?', 1)[0]?.slice(0, longestPath)
    log(
      `${method} ${path} ${status} ${(performance.now() - this.#started).toFixed(1)}ms ${id}${this.#dryRun === undefined ? '' : ' dry run'}`,
    )
  }

  #scope({ baseUrl }: Contents, environment: Environment): Scope & Identity {
    const { user, session, publisher, form } = this.#identity
    const { store } = environment
    return {
      environment,
      store,
      now: environment.clock(),
      baseUrl,
      warn: (warning) => void this.#warnings.push(warning),
      user,
      session,
      publisher,
      form,
    }
  }

  /** The body is parsed when it is first read: a handler settles the path before. */
  #input(row: Endpoint, contents: Contents, { warn, environment }: Scope): object {
    const read = () =>
      bodyOf(row, contents.body, {
        compat: environment.compat,
        warn,
        ignored: (keys) => {
          if (keys.length > 0) this.#notices['vatom-ignored'] = headerText(keys, ', ')
        },
      })
    let body: { readonly value: unknown } | undefined
    return {
      ...contents.params,
      ...(row.upload && { files: contents.files ?? [] }),
      ...(row.unlessThere && { unlessThere: contents.ifNoneMatch === '*' }),
      ...(row.query && { query: validated(row.query(), contents.query, row) }),
      get body() {
        body ??= { value: read() }
        return body.value
      },
    }
  }
}

const longestPath = 300
