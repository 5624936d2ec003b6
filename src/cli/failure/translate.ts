import { existsSync } from 'node:fs'
import {
  mayBeDone,
  ServiceError,
  SessionError,
  UnexpectedAnswerError,
  UnknownOutcomeError,
  UnreachableError,
} from '../../client/errors.ts'
import { isTemporary, isUnavailable } from '../../client/statuses.ts'
import type { ErrorName } from '../../contract/api/errors.ts'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'
import type { RefusedToken, Repeated } from '../../contract/api/wire.ts'
import { defaults } from '../../contract/defaults.ts'
import { copyOfFile } from '../../contract/lasting-data.ts'
import { limits } from '../../contract/limits.ts'
import { plural } from '../../contract/schema/wording.ts'
import { isServiceFailureCode } from '../../contract/service-failures.ts'
import { codeOf, openFilesRemedy } from '../../file-system.ts'
import type { Host } from '../host.ts'
import { shellLine } from '../io/text.ts'
import { pipelineVariable } from '../pipeline.ts'
import { snakeCase } from './codes.ts'
import {
  type ExitCode,
  exit,
  Failure,
  goneFolder,
  interrupted,
  type LoggedRequest,
  Reported,
  unexpected,
} from './failure.ts'

/** Anything that was thrown, as a failure. Where too many files are open, nothing else helps than what it says of that. */
export async function toFailure(error: unknown, host: Host): Promise<Failure> {
  const failure = await translated(error, host)
  const remedy = causesOf(failure).map(openFilesRemedy).find(Boolean)
  if (remedy === undefined) return failure
  const { code, exitCode, message } = failure
  return new Failure(code, exitCode, message, { ...failure, hint: remedy, cause: failure.cause })
}

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])

async function translated(error: unknown, host: Host): Promise<Failure> {
  const isOver = isInterruption(error, host)
  if (error instanceof Failure && (!isOver || error.exitCode === exit.interrupted)) return error
  if (isOver) return interrupted(undefined, mayBeDone(error))
  if (error instanceof ServiceError) return fromService(error)
  if (error instanceof SessionError) return sessionFailure(error)
  if (error instanceof UnreachableError) return unreachable(error, host)
  if (error instanceof UnexpectedAnswerError && error.mayBeDone && error.isDryRun)
    return new Failure(uncertainDryRun, exit.refused, error.message, {
      hint: 'something on the way to it may remove the header Vatom-Dry-Run from requests',
      mayBeDone: true,
      cause: error,
    })
  if (error instanceof UnexpectedAnswerError) return unexpectedAnswer(error)
  if (error instanceof UnknownOutcomeError) return unknownOutcome(await toFailure(error.last, host), error)
  return codedFailure(error) ?? (lacksFolder(error, host) ? goneFolder() : unexpected(error))
}

function unexpectedAnswer(error: UnexpectedAnswerError): Failure {
  const { message, isJson, status = 0, mayBeDone, answeredBefore } = error
  const hint = isJson
    ? 'check that this is a vAtom service; to see what is wrong with the answer, add --debug'
    : (onTheWay[status] ?? notAnswered({ status, answeredBefore }))
  const code = isJson ? 'unexpected_answer' : isOfRequest(status) ? (`http_${status}` as const) : 'no_json'
  return new Failure(code, exit.refused, message, { hint, mayBeDone, cause: error })
}

const gatewayWaits =
  'something on the way, such as a gateway, has no answer of the service: see whether that runs, and try again later'

/** What to do about an answer that something on the way to the service gave, by its status. */
const onTheWay: Readonly<Partial<Record<number, string>>> = {
  407: 'a proxy on the way asks for a user and a password: name it with them in HTTPS_PROXY, as http://USER:PASSWORD@HOST:PORT; for an http:// address in HTTP_PROXY',
  408: 'something on the way, such as a gateway, has given up waiting: see whether the network is slow, and try again later',
  413: 'something on the way, such as a gateway, takes no request that large: raise its limit for the bodies of requests, or make the document smaller',
  502: gatewayWaits,
  503: gatewayWaits,
  504: gatewayWaits,
  511: 'the network asks for a login: open a web page on this machine, and sign in there',
}

/** Whether a status says something of one request: others may have another answer. */
const isOfRequest = (status: number) => status === 413

/** The last failure of a change that may have been carried out before. */
const unknownOutcome = (last: Failure, cause: UnknownOutcomeError) =>
  new Failure(last.code, last.exitCode, last.message, { ...last, hint: last.next, mayBeDone: true, cause })

/** The code of a dry run that may have been carried out. */
export const uncertainDryRun = 'dry_run_uncertain'

const interrupts = ['ExitPromptError', 'AbortPromptError', 'AbortError']
/** Whether the user ended the work. */
export const isInterruption = (error: unknown, { signal }: Host): boolean =>
  signal.aborted || (error instanceof Error && interrupts.includes(error.name))

/** An error, or in place of an interruption that is no failure yet another one, which says more. */
export const unlessInterrupted = (error: unknown, host: Host, instead: () => Failure): unknown =>
  !(error instanceof Failure || error instanceof Reported) && isInterruption(error, host) ? instead() : error

/** An error of the service as a failure. Its message names the first issue. */
export function fromService(error: ServiceError, given = hintFor(error)): Failure {
  const code = error.kind ? snakeCase(error.kind) : (`http_${error.status}` as const)
  const hint = given ?? (isOtherService(code) ? notAnswered(error) : undefined)
  const { issues, repeated, retryAfter } = error
  const message = error.kind === 'internal' ? `The service failed: ${error.message}` : error.message
  return new Failure(code, exitFor(error), `${message}${oftenText(repeated)}`, {
    hint,
    issues,
    listed: issues.slice(1),
    cause: error,
    attempts: repeated?.attempts,
    retryAfter,
    mayBeDone: error.mayBeDone,
    request: requestOf(error),
  })
}

/** How often a request was sent in vain, if more than once. */
const oftenText = (repeated: Repeated | undefined): string =>
  repeated ? ` (sent ${repeated.attempts} times within ${Math.ceil(repeated.seconds)} s)` : ''

function exitFor({ status, isOfGateway }: ServiceError): ExitCode {
  if (isOfGateway) return exit.refused
  if (status === 401 || status === 403) return exit.session
  return isTemporary(status) ? exit.unreachable : exit.refused
}

/** Codes of answers that a vAtom service does not give: every other request would have one of them, too. */
export const isOtherService = (code: string): boolean => /^(http_([23]\d\d|401|404|405|501)|no_json)$/.test(code)

/** What to do where something else than a vAtom service answers. */
export const wrongAddress =
  'is this a vAtom service? check the address: VATOM_BASE_URL, --base-url, or of a saved context: vatom context list'

/** What to do where something on the way refuses some requests of a run. */
const refusesSome =
  'the service has answered other requests of this run, so something on the way refuses this one, such as a firewall or a gateway: see its log'

const refusedBetween = 'something on the way refuses the request, such as a firewall or a proxy'

const unlessOfService = `if that is not what the service says, ${refusedBetween}`

/** Whether a status refuses a request, and not because the address has no such path. */
const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 404 && status !== 405 && !isTemporary(status)

/** What to do where no vAtom service has answered a request. One that answers others may still be another one's path. */
function notAnswered({ status, answeredBefore }: Pick<ServiceError, 'status' | 'answeredBefore'>): string {
  if (isRefusal(status)) return answeredBefore ? refusesSome : `${wrongAddress}; or ${refusedBetween}`
  return answeredBefore && [200, 404].includes(status) ? `${refusesSome}; or ${wrongAddress}` : wrongAddress
}

/** What to do about an answer without an id, which something on the way may have given. */
function betweenHint(error: ServiceError): string | undefined {
  const { kind, status, issues, isNumbered, isWorded, answeredBefore } = error
  if (issues.length > 0) return undefined
  if (kind === undefined && onTheWay[status] !== undefined) return onTheWay[status]
  if (isNumbered || (kind !== undefined && kind !== 'invalid')) return undefined
  if (isWorded && (kind !== undefined || (isRefusal(status) && answeredBefore))) return unlessOfService
  if (kind !== undefined) return refusedBetween
  return isRefusal(status) ? notAnswered(error) : undefined
}

/** How to open a locked account; `vatom` is the tool, with the options that choose the service. */
export const openLocked = (vatom: string): string =>
  `to sign in before that, with a pin that opens the account: ${vatom} user reset-password ADDRESS`

const checkLogin = 'check the e-mail or phone number and the password'
const hints: Partial<Record<ErrorName, string>> = {
  publisherNeeded: 'to delete another user, sign in as that user: vatom login --context NAME',
  refreshToken: 'sign in again: vatom login',
  appId: `check the application id: VATOM_APP_ID, --app-id, or of a saved context: vatom context list; vatom serve prints its own, by default ${defaults.appId}`,
  notPublisher:
    'sign in as an administrator of a publisher: vatom login --context NAME; or use another context: vatom context list, then vatom context use NAME; where VATOM_ACCESS_TOKEN or VATOM_REFRESH_TOKEN is set, put a token of one there; or ask the service’s operator to make this user an administrator',
  outdated: 'where the service runs, stop it, and start it again with the vatom that is installed there now',
  published: 'make the next version of its template: vatom template bump NAME PATH',
  nameTaken: 'change the draft with update, or choose another name, such as the next version ::v2',
  loginFailed: checkLogin,
  loginLocked: openLocked('vatom'),
  unknownUser: checkLogin,
  missingReference: 'first create the records that the document names',
  unknownPath:
    'to see the operations: vatom help operations; to check the address: VATOM_BASE_URL, --base-url, or of a saved context: vatom context list',
  wrongMethod: 'to see the operations: vatom help operations',
  assumedOff: 'start the service without --strict-spec; to see which operations it refuses: vatom help specification',
  notOffered: 'to see what is offered: vatom help operations',
  hostRefused: 'where the service runs, accept the name by which it is called: vatom serve --allow-host NAME',
  otherMachine: 'where the service runs, trust the network of this machine: vatom serve --trust-local NETWORK',
  originRefused: 'where the service runs, accept the origin: vatom serve --cors-origin ORIGIN',
  notTemporary: `a temporary service is one of vatom serve --memory or vatom serve -- COMMAND; for the data of the local context: vatom reset, vatom snapshot --help; with vatom serve --db FILE, ${copyOfFile}`,
  handlerFailed: 'the publisher has to correct or start it; what handlers have to answer: vatom help reactors',
  templateDraft: 'publish the template first',
  notActivated:
    'to verify an address, with the code that was sent to it: vatom user token verify ADDRESS; a guest adds one first: vatom user token add ADDRESS',
  guestRefused:
    'a guest becomes a user with an address and a password: vatom user token add ADDRESS, then, with the code that is sent to it, vatom user token verify ADDRESS, then vatom profile set --password-stdin; or the action lets guests run it, with guest_user: true in its file',
}
/** What to do where a token is refused. Only that of VATOM_ACCESS_TOKEN is not renewed first. */
const tokenHints: Readonly<Record<RefusedToken, string>> = {
  given:
    'put a new token into VATOM_ACCESS_TOKEN or remove it, as VATOM_REFRESH_TOKEN counts only without it: where you are signed in, vatom auth token --refresh --yes prints one for the latter',
  accepted:
    'the token in VATOM_ACCESS_TOKEN was accepted for other requests of this run: it has ended, or something on the way refuses some requests, or removes the header Authorization from them, such as a gateway',
  renewed:
    'the session was renewed for this request, so a new token does not help: something on the way may remove the header Authorization, or refuse the token, such as a gateway that wants one of its own; check the address and the network',
}

function hintFor(error: ServiceError): string | undefined {
  const { kind, status, requestId, retryAfter, token, isMisplaced, isOfGateway } = error
  if (isMisplaced || isOfGateway) return notAnswered(error)
  // Every answer of a vAtom service that this tool knows has an id.
  const mayBeForeign = requestId === undefined && (status === 401 || status === 403)
  const isRefused = status === 401 || kind === 'unauthorized'
  const ofToken = token && (isRefused || mayBeForeign) ? tokenHints[token] : undefined
  if (token !== 'given' && ofToken !== undefined) return ofToken
  const known = (kind && hints[kind]) ?? ofToken
  if (mayBeForeign) return known === undefined ? refusedBetween : `${known}; or ${refusedBetween}`
  if (known !== undefined) return known
  const between = requestId === undefined && retryAfter === undefined ? betweenHint(error) : undefined
  const parts = [
    ...(between === undefined ? [] : [between]),
    ...(kind === 'storage' ? ['make room on the disk of the service, if that is full'] : []),
    ...(between === undefined && kind !== 'storage' ? waitHints(status, retryAfter) : []),
  ]
  return parts.join('; ') || undefined
}

/** The request of an error that has to be looked for in the log of the service. */
const requestOf = ({ kind, status, requestId }: ServiceError): LoggedRequest | undefined =>
  status >= 500 && requestId && !(kind && hints[kind])
    ? { id: requestId, isExplained: kind === 'internal' || kind === 'storage' }
    : undefined

/** How long to wait, as far as an answer says it; one to too many requests, or without an answer of the service, may leave that open. */
function waitHints(status: number, retryAfter: number | undefined): string[] {
  if (retryAfter !== undefined)
    return [
      retryAfter > limits.advisedWait ? longWait : `the service asks to wait: try again in ${waitText(retryAfter)}`,
    ]
  if (status === 429) return ['too many requests were sent in a short time: wait a minute, then try again']
  return isUnavailable(status) ? ['see whether the service runs, and is not overloaded, and try again later'] : []
}

const longWait =
  'the service asks to wait for more than a day, which may be a mistake: try again later, and if that does not help, ask its operator'

/** `90 s`, `3 hours`. */
function waitText(seconds: number): string {
  const hours = Math.ceil(seconds / 3600)
  return hours > 2 ? plural(hours, 'hour') : `${Math.ceil(seconds)} s`
}

const sessionFailure = (error: SessionError) =>
  new Failure('no_session', exit.session, error.message, { hint: error.remedy, cause: error })

/** No answer, or a mistake in the settings of this machine because of which there is none. */
function unreachable(error: UnreachableError, { env }: Host): Failure {
  const [code, exitCode] = error.isMisconfigured
    ? (['usage', exit.usage] as const)
    : (['unreachable', exit.unreachable] as const)
  return new Failure(code, exitCode, `${error.message}${oftenText(error.repeated)}`, {
    hint: unreachableHint(error, env),
    mayBeDone: error.mayBeDone,
    cause: error,
    attempts: error.repeated?.attempts,
  })
}

function unreachableHint(
  { address, waited, remedy, isReplaceable, appId }: UnreachableError,
  env: Host['env'],
): string {
  if (waited > 0) return `to wait longer: --timeout ${Math.ceil(waited * 2)}`
  const instead = isReplaceable ? ', or use the service on this machine: vatom context use local' : ''
  // A new service in the place of the one that a pipeline reaches on its own machine would be given the whole catalog.
  if (remedy === undefined && isLoopbackUrl(address) && pipelineVariable(env) === undefined)
    return `${serveHint(address, appId)}${instead}; if it had a database of its own, add that: --db FILE`
  return `${remedy ?? 'check the address, the network and its proxies'}${instead}`
}

function serveHint(address: string, appId: string = defaults.appId): string {
  const { port } = new URL(address)
  const flags = [...(port ? ['--port', port] : []), ...(appId === defaults.appId ? [] : ['--app-id', appId])]
  return `is the service running? start one here with: ${shellLine('vatom serve', flags)}`
}

/** Failures of the service inside this process, which cross as plain errors with a code and a hint. */
function codedFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('hint' in error) || !('code' in error)) return undefined
  if (!isServiceFailureCode(error.code)) return undefined
  return new Failure(error.code, exit.refused, error.message, { hint: String(error.hint), cause: error })
}

/** Whether something failed because the current folder was deleted. */
const lacksFolder = (error: unknown, { cwd }: Host): boolean => codeOf(error) === 'ENOENT' && !existsSync(cwd)
