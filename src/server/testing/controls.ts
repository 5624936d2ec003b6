import { parseJsonBody } from '../../contract/api/json-body.ts'
import { ClockSetting } from '../../contract/api/local-routes.ts'
import { Scenario } from '../../contract/api/scenario.ts'
import type { ValueOf } from '../../contract/schema/lazy-schema.ts'
import { timestamp } from '../domain/clock.ts'
import { validated } from '../valid-input.ts'
import type { LocalRequest } from './local-request.ts'
import { clockTimes, isClockTime } from './movable-clock.ts'

/** Removes all requests from the journal. */
export function clearJournal({ service: { testing } }: LocalRequest): object {
  testing.journal.clear()
  return { success_message: 'The journal is empty.' }
}

/** The service's time, how many seconds it is ahead of the real one, and whether it stands still. */
export const clockState = ({ service: { clock, testing } }: LocalRequest): object => ({
  now: timestamp(clock()),
  offset_seconds: testing.clock.offset / 1000,
  frozen: testing.clock.isFrozen,
})

/** Sets the time, which runs on from there or stands still. Throws `invalid`. */
export function setClock(request: LocalRequest): object {
  const { clock, testing } = request.service
  const InRange = ClockSetting().refine((setting) => isClockTime(wanted(setting, clock())), {
    error: `must result in ${clockTimes}`,
  })
  const { now, advance_seconds = 0, frozen } = validated(InRange, parseJsonBody(request.body))
  if (frozen === true) testing.clock.freeze()
  if (frozen === false) testing.clock.unfreeze()
  if (now === undefined) testing.clock.advance(advance_seconds * 1000)
  else testing.clock.set(new Date(now))
  return clockState(request)
}

type Setting = ValueOf<typeof ClockSetting>
const wanted = ({ now, advance_seconds = 0 }: Setting, from: Date): number =>
  now === undefined ? from.getTime() + advance_seconds * 1000 : Date.parse(now)

/** Returns to the real time. */
export function resetClock(request: LocalRequest): object {
  request.service.testing.clock.reset()
  return clockState(request)
}

/** The rules of the scenario, each with how often it can still be applied. */
export const scenarioRules = ({ service: { testing } }: LocalRequest): object[] => testing.scenario.rules()

/** Replaces the scenario. Throws `invalid`. */
export function setScenario(request: LocalRequest): object[] {
  request.service.testing.scenario.set(validated(Scenario(), parseJsonBody(request.body)))
  return scenarioRules(request)
}

/** Ends the scenario. */
export function clearScenario(request: LocalRequest): object[] {
  request.service.testing.scenario.set([])
  return scenarioRules(request)
}
