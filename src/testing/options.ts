import { types } from 'node:util'
import * as z from 'zod/v4'
import { requestFilter, statusNumber } from '../contract/api/local-routes.ts'
import { eventTypes } from '../contract/api/socket.ts'
import { schemaIssues } from '../contract/schema/issues.ts'
import type { Schema } from '../contract/schema/lazy-schema.ts'
import { checkMembers } from '../contract/schema/members.ts'
import { at } from '../contract/schema/path.ts'
import { wireIssue } from '../server/domain/refusal.ts'
import { clockTimes, isClockTime } from '../server/testing/movable-clock.ts'
import type { ActOptions, EmitOptions, EventFilter, JournalFilter, StartOptions, WaitOptions } from './service-types.ts'

/** What the members of an object may be, none of which it needs: schemas that are made when such a member is given. */
type Members<T> = Readonly<Record<keyof T, Schema>>

const isTime = (given: unknown): boolean =>
  (typeof given === 'string' || types.isDate(given)) && isClockTime(new Date(given).getTime())

const isFunction = (given: unknown): boolean => typeof given === 'function'

const anything = () => z.unknown()
const timeout = () => z.number().min(0)

/** The members of all options and filters. */
export const known = {
  startService: {
    seed: () => z.union([z.string(), z.number()], { error: 'must be a text or a number' }),
    catalog: () => z.union([z.string(), z.array(z.string())], { error: 'must be a path, or a list of paths' }),
    publisher: () => z.string(),
    users: () => z.array(z.unknown()),
    now: () => z.custom(isTime, { error: `must be ${clockTimes}, such as 2027-03-01T12:00:00Z` }),
    port: () => z.int().min(0).max(65_535),
    scenario: anything,
    callsPerMinute: () => z.int().min(0),
    compat: () => z.enum(['spec', 'sdk']),
    strictSpec: () => z.boolean(),
    handlerHosts: () => z.array(z.string()),
    log: () => z.custom(isFunction, { error: 'must be a function that takes a line' }),
  } satisfies Members<StartOptions>,
  emit: { num: anything, to: anything } satisfies Members<EmitOptions>,
  act: {
    as: () =>
      z.custom((given) => isFunction(at(given, 'client', 'performAction')), {
        error: 'must be a user, as createUser answers one',
      }),
    input: () => z.record(z.string(), z.unknown()),
  } satisfies Members<ActOptions>,
  requests: { ...requestFilter, status: statusNumber } satisfies Members<JournalFilter>,
  events: { type: () => z.enum(eventTypes), user: requestFilter.user } satisfies Members<EventFilter>,
  wait: { timeout } satisfies Members<WaitOptions>,
  waitForRequests: { timeout, count: () => z.int().min(0) },
} as const

/** Throws a TypeError that names the members that are unknown or have a wrong value, and what would be right. */
export function checkOptions(where: string, members: Readonly<Record<string, Schema>>, given: unknown): void {
  checkMembers(where, given, Object.keys(members))
  const wrong = Object.entries(members).flatMap(([name, schema]) => {
    const value = at(given, name)
    return value === undefined ? [] : problemsIn(schema(), value).map((problem) => printed(name, problem))
  })
  if (wrong.length > 0) throw new TypeError(`${where}: ${wrong.join('. ')}`)
}

const printed = (name: string, { path, message }: { readonly path: string; readonly message: string }): string =>
  `${name}${path}: ${message}`

/** What a schema finds wrong with a value. */
export function problemsIn(schema: z.ZodType, given: unknown) {
  const { error } = schema.safeParse(given)
  return error ? schemaIssues(schema, given, error).map(wireIssue) : []
}
