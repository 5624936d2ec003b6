import * as z from 'zod/v4'
import { ApiError } from '../../contract/api/errors.ts'
import { NotJson, parseJsonBody } from '../../contract/api/json-body.ts'
import { hostOf, isLoopback } from '../../contract/api/loopback.ts'
import { limits } from '../../contract/limits.ts'
import { printableLine } from '../../contract/printable.ts'
import { schemaIssues } from '../../contract/schema/issues.ts'
import { lazy, type ValueOf } from '../../contract/schema/lazy-schema.ts'
import { at, printPath } from '../../contract/schema/path.ts'
import { anyObject } from '../../contract/schema/scalars.ts'
import { shortened } from '../../contract/schema/wording.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { codeOf } from '../../file-system.ts'
import type { Action } from './action.ts'
import type { ActingScope, ActionEngine } from './engine.ts'
import { exchange, type HandlerAnswer, UnusableAnswer } from './handler-exchange.ts'
import type { Reactor, Run } from './reactor.ts'
import { reactors } from './reactors/index.ts'

/** What carries out an action: a reactor of the service, or a publisher's handler at an address. */
export type Carrier = { readonly reactor: Reactor } | { readonly url: URL }

/** What carries out an action. Throws `unhandledAction` where nothing does. */
export function carrierOf(scope: ActingScope, { name, publisher, settings: { reactor: called } }: Action): Carrier {
  const reactor = reactors.get(called)
  if (reactor) return { reactor }
  const handler = scope.store.actionHandlers.find({ publisher_fqdn: publisher, reactor: called })
  if (!handler) throw new ApiError('unhandledAction', `no handler is registered for ${called}, the reactor of ${name}`)
  const url = new URL(handler.url)
  if (mayCall(scope.environment.actions, url)) return { url }
  throw new ApiError('unhandledAction', `${name} is for the handler at ${url.host}, which ${notCalled}`)
}

/** Whether the service calls handlers at an address: on this machine, and at the hosts that were given. */
export const mayCall = ({ handlerHosts }: Pick<ActionEngine, 'handlerHosts'>, { hostname }: URL): boolean =>
  isLoopback(hostname) || handlerHosts.includes(hostname)

export const notCalled = 'this service does not call: allow it with vatom serve --allow-handler-host'

/** Why a handler refuses: a text, or an object in the form in which Perform Action reports an error. */
const Refusal = lazy(() =>
  z.union([z.string(), z.strictObject({ Code: z.unknown().optional(), Msg: z.string().nullish() })]),
)

/**
 * What a handler may answer: the output, custom properties to change, or why it refuses; null means absent. Other keys are
 * not ignored: an answer such as `{"ok": false}` would let the action go on that it was to refuse.
 */
const Reply = lazy(() =>
  z.strictObject({
    output: z.unknown().optional(),
    private: anyObject().nullish(),
    error: Refusal().nullish(),
  }),
)
export type Reply = ValueOf<typeof Reply>

/** Which part of an action a handler is called for. */
export type Stage = 'pre' | 'main' | 'post'

/**
 * Has a handler carry out an action; nothing is written meanwhile. Throws `reactorTimeout` after the action's timeout,
 * `handlerRefused` if the handler answers with an error, `busy` if its host cannot be looked up now, and else `handlerFailed`.
 */
export async function callHandler(url: URL, run: Run, action: Action, stage: Stage): Promise<Reply> {
  const { timeout } = action.settings
  const { environment, store } = run.scope
  const call = { url, action, log: environment.log }
  const body = JSON.stringify(requestOf(run, action, stage))
  const ending = endedBy(timeout, [environment.actions.later.signal, store.era()])
  const reach = environment.actions.lookUps.reach(hostOf(url), action.publisher)
  const answer = await unlessAborted(ending.signal, reach)
    .then((found) => exchange(url, found, body, ending.signal))
    .catch((error: unknown) => {
      if (ending.isLate())
        throw new ApiError(
          'reactorTimeout',
          `the handler of ${action.name} at ${url.host} did not answer within ${timeout} ms`,
        )
      throw error instanceof ApiError ? error : failed(call, reasonOf(error))
    })
    .finally(ending.forget)
  const reply = replyIn(call, answer)
  if (reply.error !== undefined && reply.error !== null) throw new ApiError('handlerRefused', textOf(reply.error))
  return reply
}

/**
 * A signal that is aborted after some milliseconds, or by others, until it is forgotten. `AbortSignal.timeout` and
 * `AbortSignal.any` would stay in memory, and with them the request, as long as their time or those others.
 */
function endedBy(milliseconds: number, others: readonly AbortSignal[]) {
  const controller = new AbortController()
  const end = () => controller.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, milliseconds)
  for (const other of others) {
    if (other.aborted) end()
    other.addEventListener('abort', end)
  }
  const forget = () => {
    clearTimeout(timer)
    for (const other of others) other.removeEventListener('abort', end)
  }
  return { signal: controller.signal, isLate: () => isLate, forget }
}

/** What work resolves to; throws the reason of the signal if that is aborted before. */
const unlessAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** What is sent to a handler: the action, the caller and the vAtom. */
function requestOf({ scope: { user }, vatom, input, config }: Run, { name, settings }: Action, stage: Stage): Section {
  return {
    action: name,
    reactor: settings.reactor,
    stage,
    user: {
      id: user.id,
      pub_fqdn: user.pub_fqdn,
      is_admin: user.is_admin === 1,
      is_merchant: user.is_merchant === 1,
      activated: user.activated === 1,
    },
    vatom: sectionOf(JSON.parse(vatom.json)),
    input,
    config: config(),
  }
}

/** A call of a handler, as what is said of its failure needs it. */
interface HandlerCall {
  readonly url: URL
  readonly action: Action
  readonly log: ActingScope['environment']['log']
}

/** Why an answer cannot be used. It may be of any service of this machine, so that callers read nothing of what it says. */
interface Misfit {
  readonly why: string
  /** The same more precisely, in words that quote the answer. */
  readonly quoting?: string
}

function replyIn(call: HandlerCall, { status, text }: HandlerAnswer): Reply {
  const { answered, misfit } = parsed(text)
  const reason = status >= 400 && status <= 499 ? reasonIn(answered) : undefined
  if (reason !== undefined) return { error: reason }
  if (status < 200 || status > 299) throw failed(call, `it answered ${status}`)
  if (misfit) throw unusable(call, misfit)
  const reply = Reply().safeParse(answered)
  if (!reply.success) throw unusable(call, { why: `is not ${usable}`, quoting: misfitOf(answered, reply.error) })
  return reply.data
}

/** What a text says, or why it is not parsed: values take many times as much memory as text, while their action waits. */
function parsed(text: string): { readonly answered?: unknown; readonly misfit?: Misfit } {
  try {
    const answered = parseJsonBody(text, limits.handlerValues)
    return { answered: answered === undefined ? {} : answered }
  } catch (error) {
    if (error instanceof NotJson) return { misfit: { why: 'is not JSON', quoting: error.reason } }
    if (error instanceof ApiError) return { misfit: { why: `cannot be used: ${error.message}` } }
    throw error
  }
}

/**
 * The reason of a refusal by its status, which may come with anything; undefined if there is none that can be read: an
 * answer 404 or 429 may be of a gateway, or of a wrong path.
 */
const reasonIn = (answered: unknown) => Refusal().safeParse(at(answered, 'error')).data

const usable = 'an object with output, private or error alone, such as {"error": {"Msg": "not today"}}'

/** What of an answer is none that a handler may give. */
const misfitOf = (answered: unknown, error: z.ZodError): string =>
  schemaIssues(Reply(), answered, error)
    .map(({ path, rule, message }) =>
      rule === 'unknown-field' ? message : [printPath(path), message].join(' ').trim(),
    )
    .join('; ')

const textOf = (error: ValueOf<typeof Refusal>): string | undefined =>
  (typeof error === 'string' ? error : error.Msg) || undefined

function reasonOf(error: unknown): string {
  if (error instanceof UnusableAnswer) return error.message
  return String(codeOf(error) ?? error)
}

const failed = ({ url, action }: HandlerCall, why: string) =>
  new ApiError('handlerFailed', `the handler of ${action.name} at ${url.host} failed: ${why}`)

/** The failure of a handler with an unusable answer. What quotes the answer is only logged, shortened. */
function unusable(call: HandlerCall, { why, quoting }: Misfit): ApiError {
  const failure = failed(call, `its answer ${why}`)
  if (quoting !== undefined) call.log?.(`${failure.message}: ${printableLine(shortened(quoting, longestQuote))}`)
  return failure
}
const longestQuote = 200
