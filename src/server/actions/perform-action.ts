import { ApiError, type ErrorName } from '../../contract/api/errors.ts'
import type { ActionResult } from '../../contract/api/vatom-action.ts'
import { warning } from '../../contract/api/warnings.ts'
import { afterwards } from './partly-done.ts'
import { callsHandlers, type Plan, policyStep } from './planned-action.ts'
import { run, type Step } from './steps.ts'

/** What came of an action: its output, and why it failed where that is no failure of the request. */
type Performed = ActionResult['main']

const nothing: Performed = { output: '{}' }

/**
 * Runs what an action's policy names before it, the action, and what it names after it, one after the other. One that
 * fails ends it where the action is set to abort on that, and is warned of else; what was done before stays done. The
 * action's timeout is for all of it.
 */
async function carryOut(plan: Plan): Promise<Performed> {
  const done: string[] = []
  const runStep = inTime(plan)
  const carry: Carry = async (step) => {
    const output = await runStep(step)
    done.push(step.action.short)
    return output
  }
  try {
    return await inTurn(plan, carry)
  } catch (error) {
    throw done.length === 0
      ? error
      : afterwards(error, `${done.join(', ')} ${done.length === 1 ? 'is' : 'are'} already done`)
  }
}

/** Runs steps in the time that is left of an action's own. Throws `reactorTimeout` for one that is left none. */
function inTime({ action }: Plan): Carry {
  const { timeout } = action.settings
  const end = performance.now() + timeout
  return async (step) => {
    const left = Math.ceil(end - performance.now())
    if (left <= 0) throw new ApiError('reactorTimeout', `${action.name} did not finish within ${timeout} ms`)
    const settings = { ...step.action.settings, timeout: Math.min(left, step.action.settings.timeout) }
    return await run({ ...step, action: { ...step.action, settings } })
  }
}

/** Runs a step, and answers its output. */
type Carry = (step: Step) => Promise<unknown>

async function inTurn(plan: Plan, carry: Carry): Promise<Performed> {
  const { abort_on_pre_error, abort_on_main_error, abort_on_post_error, policy } = plan.action.settings
  for (const name of policy.pre) await runNamed(carry, plan, name, 'pre', abort_on_pre_error)
  const performed = await runMain(carry, plan, abort_on_main_error)
  for (const name of policy.post) await runNamed(carry, plan, name, 'post', abort_on_post_error)
  return performed
}

async function runNamed(carry: Carry, plan: Plan, name: string, stage: 'pre' | 'post', aborts: boolean): Promise<void> {
  try {
    await carry(policyStep(plan, name, stage))
  } catch (error) {
    if (aborts || !isRefusal(error)) throw error
    plan.scope.warn(warning('action-failed', '', `the ${stage}-action ${name} failed: ${error.message}`, name))
  }
}

async function runMain(carry: Carry, plan: Plan, aborts: boolean): Promise<Performed> {
  try {
    return { output: JSON.stringify(await carry({ ...plan, stage: 'main' })) }
  } catch (error) {
    if (aborts || !isRefusal(error)) throw error
    return { ...nothing, error: { Code: error.code, Msg: error.message } }
  }
}

const faults: readonly ErrorName[] = ['busy', 'storage', 'internal', 'unauthorized']

/** Whether an action failed, rather than the service, or the whole request of who is no user any more. */
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && !faults.includes(error.kind)

/** Carries it out now. Throws `busy`, before anything is done, where it calls handlers and too many do so at once. */
export const carryOutNow = async (plan: Plan): Promise<Performed> =>
  callsHandlers(plan) ? await plan.scope.environment.actions.handled.take(() => carryOut(plan)) : await carryOut(plan)

/**
 * Carries it out once the request is answered; its outcome is logged alone. Throws `busy` where too many wait.
 */
export function carryOutLater(plan: Plan): Performed {
  const { scope, action } = plan
  const { environment } = scope
  const log = (message: string) => environment.log?.(`${action.name}, not waited for: ${message}`)
  environment.actions.later.run(
    () => carryOut({ ...plan, scope: { ...scope, warn: ({ message }) => log(message) } }),
    (error) => log(error instanceof ApiError ? error.message : `failed: ${error}`),
  )
  const message = `${action.name} is not waited for (wait: false): its result is not reported`
  scope.warn(warning('not-waited-for', '', message))
  return nothing
}
