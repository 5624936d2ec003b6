import * as z from 'zod/v4'
import { Scenario } from '../../contract/api/scenario.ts'
import { type Clock, timestamp } from '../domain/clock.ts'
import type { Store } from '../store/store.ts'
import { parseJsonBody, validated } from '../valid-input.ts'
import type { Testing } from './testing.ts'

/** What the service's own routes read and change. */
interface TestedService {
  readonly store: Store
  readonly clock: Clock
  /** Platform units that each publisher has in all. */
  readonly granted: number
  readonly testing: Testing
}

/** A request for a route of the service's own. */
export interface Asked {
  readonly service: TestedService
  /** Of the user in its path; empty where there is none. */
  readonly id: string
  readonly query: unknown
  readonly body: string
  readonly baseUrl: string
}

const declared = { spec: '', errors: ['invalid'] } as const

/** Forgets all requests. */
export function clearJournal({ service: { testing } }: Asked): object {
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
export const clockState = ({ service: { clock, testing } }: Asked): object => ({
  now: timestamp(clock()),
  offset_seconds: testing.clock.offset / 1000,
})

/** Sets the time, which runs on from there. Throws `invalid`. */
export function setClock(asked: Asked): object {
  const { clock, testing } = asked.service
  const InReach = ClockSetting.refine((setting) => isInReach(wanted(setting, clock())), {
    error: 'must result in a time from 1970 to 9998',
  })
  const { now, advance_seconds = 0 } = validated(InReach, parseJsonBody(asked.body), declared)
  if (now === undefined) testing.clock.advance(advance_seconds * 1000)
  else testing.clock.set(new Date(now))
  return clockState(asked)
}

type Setting = z.output<typeof ClockSetting>
const wanted = ({ now, advance_seconds = 0 }: Setting, from: Date): number =>
  now === undefined ? from.getTime() + advance_seconds * 1000 : Date.parse(now)

const isInReach = (time: number) => time >= earliest && time < latest

/** Returns to the real time. */
export function resetClock(asked: Asked): object {
  asked.service.testing.clock.reset()
  return clockState(asked)
}

/** The scenario's rules, each with how often it is still to be applied. */
export const scenarioRules = ({ service: { testing } }: Asked): object[] => testing.scenario.rules()

/** Puts a scenario in the place of the one there is. Throws `invalid`. */
export function setScenario(asked: Asked): object[] {
  asked.service.testing.scenario.set(validated(Scenario(), parseJsonBody(asked.body), declared))
  return scenarioRules(asked)
}

/** Ends the scenario. */
export function clearScenario(asked: Asked): object[] {
  asked.service.testing.scenario.set([])
  return scenarioRules(asked)
}
