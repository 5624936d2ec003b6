import { type Operation, operations } from '../../contract/api/api.ts'
import { type Endpoint, needsBody } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import type { Files } from '../../contract/api/wire.ts'
import type { Environment, Scope } from '../environment.ts'
import type { Handlers } from '../operations/handlers.ts'
import { handlers } from '../operations/index.ts'
import type { Identity } from './authenticate.ts'
import { parseBody } from './body.ts'
import { understood } from './compat.ts'
import { ignoredKeys } from './ignored.ts'
import { headerText, type NoticeHeader } from './notices.ts'
import { validated } from './validate.ts'

/** A request whose caller is known, before its contents are. */
export interface Exchange {
  readonly identity: Identity
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: string
  /** What an upload brings, one file after the other. */
  readonly files?: Files | undefined
  readonly baseUrl: string
  /** The request's `If-None-Match`. */
  readonly ifNoneMatch: string | undefined
  /** Sets a header of the answer. */
  readonly notice: (header: NoticeHeader, text: string) => void
}

/** What each operation assumes, as a header says it. */
const assumptions = new Map(operations.map(([name, { assumed }]) => [name, assumed && headerText([assumed], '')]))

type AnyHandler = (scope: Scope, input: object) => unknown

/** Carries out an operation: its payload, or a thrown `ApiError`. */
export async function perform(
  operation: Operation,
  row: Endpoint,
  exchange: Exchange,
  environment: Environment,
): Promise<unknown> {
  const assumed = assumptions.get(operation)
  if (assumed) exchange.notice('vatom-assumed', assumed)
  const warn = warnings(exchange)
  const scope = scopeOf(environment, exchange, warn)
  const handler: Handlers[Operation] = handlers[operation]
  // The row's `auth` decided what `identify` put into the scope, and its schemas what the input gives.
  return await (handler as AnyHandler)(scope, input(row, exchange, environment, warn))
}

/** Written out field by field: a request is answered in microseconds, and a spread takes several of them. */
function scopeOf(environment: Environment, { identity, baseUrl }: Exchange, warn: Scope['warn']): Scope & Identity {
  const {
    store,
    assets,
    clock,
    tokens,
    passwords,
    logins,
    appId,
    compat,
    strictSpec,
    seed,
    tariff,
    granted,
    handlerHosts,
    later,
    handled,
    reservations,
    localSession,
    log,
  } = environment
  const { user, session, publisher, form } = identity
  return {
    store,
    assets,
    clock,
    tokens,
    passwords,
    logins,
    appId,
    compat,
    strictSpec,
    seed,
    tariff,
    granted,
    handlerHosts,
    later,
    handled,
    reservations,
    localSession,
    log,
    now: clock(),
    baseUrl,
    warn,
    user,
    session,
    publisher,
    form,
  }
}

function input(row: Endpoint, exchange: Exchange, environment: Environment, warn: (message: string) => void): object {
  let body: { readonly value: unknown } | undefined
  return {
    ...exchange.params,
    ...(row.upload && { files: exchange.files ?? [] }),
    ...(row.unlessThere && { unlessThere: exchange.ifNoneMatch === '*' }),
    ...(row.query && { query: validated(row.query, exchange.query, row) }),
    get body() {
      body ??= { value: bodyOf(row, exchange, environment, warn) }
      return body.value
    },
  }
}

function bodyOf(row: Endpoint, exchange: Exchange, { compat }: Environment, warn: (message: string) => void): unknown {
  if (!row.body) throw new ApiError('internal', `${row.path} declares no body`)
  const sent = parseBody(exchange.body)
  const found = understood(row, sent === undefined && !needsBody(row) ? {} : sent, compat, warn)
  const value = validated(row.body, found, row)
  if (row.unknownKeys === 'ignored') {
    const ignored = ignoredKeys(found, value)
    if (ignored.length > 0) exchange.notice('vatom-ignored', headerText(ignored, ', '))
  }
  return value
}

function warnings({ notice }: Exchange): (message: string) => void {
  const said: string[] = []
  return (message) => {
    said.push(message)
    notice('vatom-warning', headerText(said, '; '))
  }
}
