import type { Scenario } from '../../contract/api/scenario.ts'
import type { Clock } from '../domain/clock.ts'
import { Journal } from './journal.ts'
import { MovableClock } from './movable-clock.ts'
import { ActiveScenario } from './scenario.ts'

/** What a service has for those who test against it; this process's alone, and stored nowhere. */
export interface Testing {
  readonly clock: MovableClock
  readonly journal: Journal
  readonly scenario: ActiveScenario
}

export const testingOf = (real: Clock, scenario: Scenario | undefined): Testing => ({
  clock: new MovableClock(real),
  journal: new Journal(),
  scenario: new ActiveScenario(scenario),
})
