import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, type ValueOf } from '../schema/lazy-schema.ts'
import { errorNames } from './errors.ts'
import { type Operation, operations } from './table.ts'

/** Statuses that a scenario can answer instead of an operation. */
const statuses = [400, 401, 403, 404, 409, 413, 429, 500, 501, 502, 503, 504] as const
export type ScenarioStatus = (typeof statuses)[number]

/** What a rule can answer, of which it has one at most. */
const answers = ['status', 'error', 'payload', 'drop'] as const

const whole = (least: number, most: number) => z.int().min(least).max(most)

/** A path, with all below it, or a pattern with `*`. */
export const pathPattern = lazy(() =>
  z.string().max(limits.url).regex(/^[/*]/, { error: 'must begin with / or *, such as /v1/templates or /v1/*' }),
)
/** The name of an operation. */
export const operationName = lazy(() => z.enum(operations.map(([name]) => name) as [Operation, ...Operation[]]))

const Match = lazy(() =>
  z.strictObject({
    method: z.enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD']).optional(),
    path: pathPattern().optional(),
    operation: operationName().optional(),
    user: z.string().min(1).optional().describe('Who sends it: the id of a user, or what they sign in with.'),
    headers: z.record(z.string(), z.string()).optional().describe('Headers that it has; * stands for any text.'),
    body: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .optional()
      .describe('Fields of its JSON body by their path, such as user_tokens[0].token; * stands for any text.'),
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
      payload: z.unknown().optional().describe('Answered with status 200.'),
    })
    .refine((effect) => Object.keys(effect).length > 0, {
      error: 'must have latency_ms, status, error, payload or drop',
    })
    .refine(({ status, drop }) => status === undefined || drop === undefined, {
      error: 'must have status or drop, not both: what is dropped is not answered',
    })
    .refine((effect) => answers.filter((name) => effect[name] !== undefined).length <= 1, {
      error: 'must have one of status, error, payload and drop',
    })
    .refine(({ status, error, retry_after }) => (status ?? error) !== undefined || retry_after === undefined, {
      error: 'must have a status beside retry_after, or an error',
    }),
)
const Rule = lazy(() =>
  z.strictObject({
    match: Match().optional(),
    times: whole(1, 1_000_000).optional(),
    probability: z.number().min(0).max(1).optional().describe('Which part of the requests it is applied to; 1.'),
    // biome-ignore lint/suspicious/noThenProperty: the word of the format; no promise is made of it
    then: Effect(),
  }),
)

/**
 * What a local service does to requests instead of answering them, for tests of clients: the first rule that fits a
 * request, and has not been used up, is applied to it.
 */
export const Scenario = lazy(() => z.array(Rule()).max(limits.issues))
export type Scenario = ValueOf<typeof Scenario>
export type ScenarioRule = Scenario[number]
export type ScenarioMatch = ValueOf<typeof Match>
export type ScenarioEffect = ValueOf<typeof Effect>
