import { useSignal } from '@preact/signals'
import { limits } from '../../../contract/limits.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { local } from '../service/local.ts'
import { ruleText, scenarioPath } from '../service/scenario.ts'
import { currentSession } from '../service/session.ts'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { Outcome } from '../shell/problem.tsx'
import { useAttempt } from '../shell/use-attempt.ts'
import { LastingData } from './lasting-data.tsx'
import { RuleForm } from './rule-form.tsx'
import { Snapshots } from './snapshots.tsx'
import { TestUsers } from './test-users.tsx'

/** What sets the service as a test needs it: its clock, failures of requests, and its data. */
export function ControlsScreen() {
  return (
    <div class="page">
      <div class="heading">
        <h2>Controls</h2>
      </div>
      <Clock />
      <Scenario />
      <TestUsers />
      {currentSession().data === 'temporary' ? <Snapshots /> : <LastingData />}
    </div>
  )
}

interface ClockState {
  readonly now: string
  readonly offset_seconds: number
  readonly frozen: boolean
}

const clockPath = '/__vatom/clock'
const leaps = { 'One hour on': 3600, 'One day on': 86_400, 'Thirty days on': 2_592_000 }

const sessionDays = limits.refreshTokenSeconds / 86_400

function Clock() {
  const loading = useLoading(() => local<ClockState>('GET', clockPath))
  const setting = useAttempt()
  const change = (method: 'PUT' | 'DELETE', body?: object) =>
    void setting.attempt(async () => {
      loading.value.value = await local<ClockState>(method, clockPath, body)
    })
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const text = String(new FormData(event.currentTarget).get('now'))
    change('PUT', { now: `${text.length === 16 ? `${text}:00` : text}Z` })
  }
  return (
    <section aria-label="Clock">
      <h3>Clock</h3>
      <Loaded loading={loading}>
        {({ now, offset_seconds, frozen }) => (
          <>
            <p role="status">
              <strong>{now}</strong> <span class="muted">{stateOf(offset_seconds, frozen)}</span>
            </p>
            <div class="tools">
              {Object.entries(leaps).map(([title, seconds]) => (
                <button key={title} type="button" onClick={() => change('PUT', { advance_seconds: seconds })}>
                  {title}
                </button>
              ))}
              <button type="button" onClick={() => change('PUT', { frozen: !frozen })}>
                {frozen ? 'Let it run' : 'Freeze'}
              </button>
              <button type="button" onClick={() => change('DELETE')}>
                Back to the real time
              </button>
            </div>
            <form class="tools" onSubmit={set}>
              <label class="check">
                Time in UTC
                <input name="now" type="datetime-local" step="1" required defaultValue={now.slice(0, 19)} />
              </label>
              <button type="submit">Set</button>
            </form>
          </>
        )}
      </Loaded>
      <Outcome of={setting} />
      <p class="muted">
        Access tokens last five minutes of this clock: apps renew theirs after a leap. Sessions last {sessionDays} days
        of it: a leap beyond that ends them. They last again when the clock is back at the real time, unless their user
        signs in anew before.
      </p>
    </section>
  )
}

const stateOf = (offset: number, frozen: boolean): string =>
  [offset === 0 ? 'the real time' : `${awayText(offset)} the real time`, frozen && 'stands still']
    .filter(Boolean)
    .join(', ')

/** How far a clock is from the real time, in words: its seconds change while they are read. */
function awayText(offset: number): string {
  const seconds = Math.abs(offset)
  const [unit, size] = units.find(([, least]) => seconds >= 0.99 * least) ?? ['second', 1]
  return `${plural(Math.round(seconds / size), unit)} ${offset > 0 ? 'ahead of' : 'behind'}`
}

/** Units with their seconds, from which on each is used. */
const units: readonly (readonly [unit: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** The rules in a text. Throws where it is no list. */
function rulesIn(text: string): unknown[] {
  const rules = parseJson(text)
  if (Array.isArray(rules)) return rules
  throw new Error('Write a list of rules in JSON: [ … ].')
}

/** Rules as JSON, one in each line. */
const textOf = (rules: readonly unknown[]): string =>
  rules.length === 0 ? '[]' : `[\n${rules.map((rule) => `  ${JSON.stringify(rule)}`).join(',\n')}\n]`

function Scenario() {
  const loading = useLoading(() => local<readonly object[]>('GET', scenarioPath))
  const text = useSignal(textOf([]))
  const setting = useAttempt()
  const change = (request: () => Promise<readonly object[]>) =>
    void setting.attempt(async () => {
      loading.value.value = await request()
    })
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    change(async () => local('PUT', scenarioPath, rulesIn(text.value)))
  }
  const add = (rule: object) =>
    void setting.attempt(async () => {
      text.value = textOf([...rulesIn(text.value), rule])
    })
  return (
    <section aria-label="Scenario">
      <h3>Scenario</h3>
      <Loaded loading={loading}>
        {(rules) =>
          rules.length === 0 ? (
            <p class="muted">Requests are answered and messages sent as usual: no rule changes any.</p>
          ) : (
            <ul role="status">
              {rules.map((rule) => (
                <li key={JSON.stringify(rule)}>
                  <code>{ruleText(rule)}</code> <span class="muted">{remainingOf(rule)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <RuleForm add={add} />
      <form class="scenario" onSubmit={set}>
        <label>
          Rules
          <textarea
            rows={8}
            spellcheck={false}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value
            }}
          />
        </label>
        <div class="tools">
          <button type="submit">Begin</button>
          <button type="button" onClick={() => change(() => local('DELETE', scenarioPath))}>
            End
          </button>
          <button type="button" onClick={loading.reload}>
            Reload
          </button>
        </div>
      </form>
      <Outcome of={setting} />
    </section>
  )
}

const remainingOf = (rule: unknown): string =>
  isObject(rule) && typeof rule.remaining === 'number' ? `${plural(rule.remaining, 'time')} more` : 'always'
