import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, type ValueOf } from '../schema/lazy-schema.ts'
import { errorNames } from './errors.ts'
import { methods } from './methods.ts'
import { messageTypes } from './socket.ts'
import { type Operation, operations } from './table.ts'

/** Statuses that a scenario can answer instead of an operation. */
const statuses = [400, 401, 403, 404, 409, 413, 429, 500, 501, 502, 503, 504] as const
export type ScenarioStatus = (typeof statuses)[number]

/** What a rule can answer or send instead, of which it has one at most. */
const answers = ['status', 'error', 'payload', 'drop', 'close', 'message', 'omit'] as const

/** What a rule for WebSockets can look at and do, and what only such a rule can do. */
const ofSockets = {
  match: ['event', 'user', 'body'],
  effect: ['latency_ms', 'payload', 'drop', 'close', 'message', 'omit'],
  only: ['close', 'message', 'omit'],
} as const satisfies Readonly<Record<string, readonly string[]>>

const has = (value: object, names: readonly string[]) => names.some((name) => Object.hasOwn(value, name))
const hasOnly = (value: object, names: readonly string[]) => Object.keys(value).every((name) => names.includes(name))

/** Whether RFC 6455 lets an end of a connection send a close code. */
const isCloseCode = (code: number) => (code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006)) || code >= 3000

const whole = (least: number, most: number) => z.int().min(least).max(most)

/** A path, with all below it, or a pattern with `*`. */
export const pathPattern = lazy(() =>
  z.string().max(limits.url).regex(/^[/*]/, { error: 'must begin with / or *, such as /v1/templates or /v1/*' }),
)
/** The name of an operation. */
export const operationName = lazy(() => z.enum(operations.map(([name]) => name) as [Operation, ...Operation[]]))

/** The method of a request. */
export const requestMethod = lazy(() => z.enum([...methods, 'HEAD']))

const isKnownMessage = (type: string) => type.includes('*') || (messageTypes as readonly string[]).includes(type)

const Match = lazy(() =>
  z.strictObject({
    method: requestMethod().optional(),
    path: pathPattern().optional(),
    operation: operationName().optional(),
    event: z
      .string()
      .refine(isKnownMessage, {
        error: `must be one of ${messageTypes.join(', ')}, or have *`,
        params: { rule: 'value', candidates: messageTypes },
      })
      .optional()
      .describe('The kind of a message on open WebSockets, such as inventory; * stands for any text. No request fits.'),
    user: z
      .string()
      .min(1)
      .optional()
      .describe('Who sends it, or whose WebSocket it is: the id of a user, or what they sign in with.'),
    headers: z.record(z.string(), z.string()).optional().describe('Headers that it has; * stands for any text.'),
    body: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .optional()
      .describe(
        'Fields of its JSON body, or of the payload of a message, by their path, such as user_tokens[0].token; * stands for any text.',
      ),
  }),
)
const Effect = lazy(() =>
  z
    .strictObject({
      latency_ms: whole(0, 60_000).optional(),
      status: z.literal(statuses).optional(),
      retry_after: whole(0, 86_400).optional(),
      drop: z.literal(true).optional(),
      error: z
        .enum(errorNames)
        .optional()
        .describe('The name of an error, which is answered with its status and code.'),
      payload: z.unknown().optional().describe('Answered with status 200, or sent instead of that of a message.'),
      close: whole(1000, 4999)
        .refine(isCloseCode, { error: 'must be 1000 to 1003, 1007 to 1014, or 3000 to 4999' })
        .optional()
        .describe('The WebSocket is closed with this code.'),
      message: z.string().optional().describe('This text is sent on the WebSocket instead of the message.'),
      omit: z.literal(true).optional().describe('The message is not sent; the WebSocket stays open.'),
    })
    .refine((effect) => Object.keys(effect).length > 0, {
      error: 'must have latency_ms, status, error, payload or drop; or for an event close, message or omit',
    })
    .refine(({ status, drop }) => status === undefined || drop === undefined, {
      error: 'must have status or drop, not both: what is dropped is not answered',
    })
    .refine((effect) => answers.filter((name) => effect[name] !== undefined).length <= 1, {
      error: 'must have one of status, error, payload, drop, close, message and omit',
    })
    .refine(({ status, error, retry_after }) => (status ?? error) !== undefined || retry_after === undefined, {
      error: 'must have a status beside retry_after, or an error',
    }),
)
const Rule = lazy(() =>
  z
    .strictObject({
      match: Match().optional(),
      times: whole(1, 1_000_000).optional(),
      probability: z.number().min(0).max(1).optional().describe('Which part of the requests it is applied to; 1.'),
      // biome-ignore lint/suspicious/noThenProperty: the word of the format; no promise is made of it
      then: Effect(),
    })
    .refine(({ match }) => match?.event === undefined || hasOnly(match, ofSockets.match), {
      path: ['match'],
      error: 'must have nothing but user and body beside event, which is of messages, not of requests',
    })
    .refine(({ match, then }) => match?.event === undefined || hasOnly(then, ofSockets.effect), {
      path: ['then'],
      error: `can only have ${ofSockets.effect.join(', ')} for an event`,
    })
    .refine(({ match, then }) => match?.event !== undefined || !has(then, ofSockets.only), {
      path: ['then'],
      error: 'can have close, message and omit only for an event',
    }),
)

/**
 * What a local service does to requests instead of answering them, and to messages on WebSockets instead of sending them,
 * for tests of clients: the first rule that fits, and has not been used up, is applied.
 */
export const Scenario = lazy(() => z.array(Rule()).max(limits.issues))
export type Scenario = ValueOf<typeof Scenario>
export type ScenarioRule = Scenario[number]
export type ScenarioMatch = ValueOf<typeof Match>
export type ScenarioEffect = ValueOf<typeof Effect>
