import * as z from 'zod/v4'
import { Scenario } from '../../contract/api/scenario.ts'
import { timestamp } from '../domain/clock.ts'
import { queriedPage } from '../domain/paging.ts'
import type { Environment } from '../environment.ts'
import { parseJsonBody, validated } from '../request/parse.ts'

const ours = { spec: '', errors: ['invalid'] } as const

/** Query for the newest of what is listed. */
export const NewestQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .optional(),
})

/** The newest requests, oldest first. Throws `invalid`. */
export const journalPage = ({ testing }: Environment, query: unknown): object[] =>
  testing.journal.newest(queriedPage({ limit: '0', ...validated(NewestQuery, query, ours) }).limit)

/** Forgets all requests. */
export function clearJournal({ testing }: Environment): object {
  testing.journal.clear()
  return { success_message: 'The journal is empty.' }
}

const earliest = Date.parse('1970-01-01T00:00:00Z')
/** Tokens that are valid for a while longer must have a time that can be written, too. */
const latest = Date.parse('9999-01-01T00:00:00Z')

const ClockSetting = z
  .strictObject({
    now: z.iso.datetime({ error: 'must be an instant such as 2027-03-01T12:00:00Z' }).optional(),
    advance_seconds: z.number().optional(),
  })
  .refine(({ now, advance_seconds }) => (now === undefined) !== (advance_seconds === undefined), {
    error: 'must have either now or advance_seconds',
  })

/** The service's time, and how many seconds it is ahead of the real one. */
export const clockState = ({ clock, testing }: Environment): object => ({
  now: timestamp(clock()),
  offset_seconds: testing.clock.offset / 1000,
})

/** Sets the time, which runs on from there. Throws `invalid`. */
export function setClock(environment: Environment, body: string): object {
  const { clock, testing } = environment
  const InReach = ClockSetting.refine((setting) => isInReach(wanted(setting, clock())), {
    error: 'must lead to a time from 1970 to 9998',
  })
  const { now, advance_seconds = 0 } = validated(InReach, parseJsonBody(body), ours)
  if (now === undefined) testing.clock.advance(advance_seconds * 1000)
  else testing.clock.set(new Date(now))
  return clockState(environment)
}

type Setting = z.output<typeof ClockSetting>
const wanted = ({ now, advance_seconds = 0 }: Setting, from: Date): number =>
  now === undefined ? from.getTime() + advance_seconds * 1000 : Date.parse(now)

const isInReach = (time: number) => time >= earliest && time < latest

/** Returns to the real time. */
export function resetClock(environment: Environment): object {
  environment.testing.clock.reset()
  return clockState(environment)
}

/** The scenario's rules, each with how often it is still to be applied. */
export const scenarioRules = ({ testing }: Environment): object[] => testing.scenario.rules()

/** Puts a scenario in the place of the one there is. Throws `invalid`. */
export function setScenario(environment: Environment, body: string): object[] {
  environment.testing.scenario.set(validated(Scenario(), parseJsonBody(body), ours))
  return scenarioRules(environment)
}

/** Ends the scenario. */
export function clearScenario(environment: Environment): object[] {
  environment.testing.scenario.set([])
  return scenarioRules(environment)
}
