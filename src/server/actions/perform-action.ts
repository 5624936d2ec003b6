import { ApiError, type ErrorName } from '../../contract/api/errors.ts'
import type { ActionResult } from '../../contract/api/vatom-action.ts'
import { WarningList, warning } from '../../contract/api/warnings.ts'
import { ofLastAttempt } from '../store/last-attempt.ts'
import { type Sender, senderAt, storeFor } from '../store/senders.ts'
import { giveBack, reserveRun } from './callers.ts'
import { afterwards } from './partly-done.ts'
import { callsHandlers, type Plan, policyStep, type ReservedPlan } from './planned-action.ts'
import { checkStep, run, type Step } from './steps.ts'

/** The result of an action: its output, or why it failed if that is no failure of the request. */
type Performed = ActionResult['main']

const nothing: Performed = { output: '{}' }

/**
 * Runs the pre-actions of an action's policy, the action and its post-actions, one after the other. A failure ends it if
 * the action is set to abort on that, else adds a warning; what was done before stays done. The action's timeout is for
 * all of them together.
 */
async function carryOut(plan: ReservedPlan): Promise<Performed> {
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

/** Runs steps within the action's timeout. Throws `reactorTimeout` if no time is left. */
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

async function inTurn(plan: ReservedPlan, carry: Carry): Promise<Performed> {
  const { abort_on_pre_error, abort_on_main_error, abort_on_post_error, policy } = plan.action.settings
  for (const name of policy.pre) await runNamed(carry, plan, name, 'pre', abort_on_pre_error)
  const performed = await runMain(carry, plan, abort_on_main_error)
  for (const name of policy.post) await runNamed(carry, plan, name, 'post', abort_on_post_error)
  return performed
}

async function runNamed(
  carry: Carry,
  plan: ReservedPlan,
  name: string,
  stage: 'pre' | 'post',
  aborts: boolean,
): Promise<void> {
  try {
    await carry(policyStep(plan, name, stage))
  } catch (error) {
    if (aborts || !isRefusal(error)) throw error
    plan.scope.warn(warning('action-failed', '', `the ${stage}-action ${name} failed: ${error.message}`, name))
  }
}

async function runMain(carry: Carry, plan: ReservedPlan, aborts: boolean): Promise<Performed> {
  try {
    const output = await carry({ ...plan, stage: 'main' })
    return { output: JSON.stringify(output) }
  } catch (error) {
    if (aborts || !isRefusal(error)) throw error
    return { ...nothing, error: { Code: error.code, Msg: error.message } }
  }
}

const faults: readonly ErrorName[] = ['busy', 'closing', 'storage', 'outdated', 'internal', 'unauthorized', 'replaced']

/** Whether an action failed, not the service, and the caller still exists. */
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && !faults.includes(error.kind)

/** Publishers of the service have places of their own beside those of the address that they share with others. */
function senderOf({ scope: { user, address } }: Plan): Sender {
  const { line, isFirst } = senderAt(address, user)
  return { line: isFirst ? [user.id, user.id] : line, isFirst }
}

/**
 * Carries out a plan now, or when it is its turn, where many actions call handlers. Throws `actionLimit`, and `busy` if too many
 * wait, or the caller is gone before that; before anything is done.
 */
export async function carryOutNow(plan: Plan): Promise<Performed> {
  const reserved = await reserveRun(plan.scope, plan.action)
  try {
    return await inOwnTurn({ ...plan, reserved })
  } finally {
    await giveBack(plan.scope, reserved)
  }
}

async function inOwnTurn(plan: ReservedPlan): Promise<Performed> {
  if (!callsHandlers(plan)) return carryOut(plan)
  const { environment, isGone } = plan.scope
  return environment.actions.handled.take(() => carryOut(plan), { ...senderOf(plan), isGone })
}

/**
 * Carries out a plan after the request is answered; its result is only logged. Throws what would be refused now, unless
 * pre-actions may change that or a failure does not end the action, and `busy` if too many wait.
 */
export async function carryOutLater(plan: Plan): Promise<Performed> {
  const { scope, action } = plan
  const reserved = await reserveRun(scope, action)
  try {
    await accept({ ...plan, reserved })
  } catch (error) {
    await giveBack(scope, reserved)
    throw error
  }
  const message = `${action.name} is not waited for (wait: false): its result is not reported`
  scope.warn(warning('not-waited-for', '', message))
  return nothing
}

/**
 * The scope of what was accepted already: neither that its user signed out ends it, nor that nobody waits for it. What
 * it warns of is in a list.
 */
const acceptedScope = <S extends Plan['scope']>(scope: S, warnings: WarningList): S => ({
  ...scope,
  store: storeFor(
    scope.environment.store,
    senderAt(scope.address, scope.user),
    ofLastAttempt(() => warnings.mark()),
  ),
  warn: (one) => warnings.add(one),
  isSignedIn: () => !scope.isRevoked(),
})

/** Begins with a plan unless it is refused; what it has reserved is given back once it is carried out. */
async function accept(plan: ReservedPlan): Promise<void> {
  const { scope, action, reserved } = plan
  const { abort_on_main_error, policy } = action.settings
  if (abort_on_main_error && policy.pre.length === 0) await checkStep({ ...plan, stage: 'main' })
  const { environment } = scope
  const log = (message: string) => environment.log?.(`${action.name}, not waited for: ${message}`)
  const work = async () => {
    const warnings = new WarningList()
    const carried = carryOut({ ...plan, scope: acceptedScope(scope, warnings) })
    const { error } = await carried.finally(() => {
      for (const { message } of warnings.all()) log(message)
    })
    if (error) log(error.Msg)
  }
  const failed = (error: unknown) => log(error instanceof ApiError ? error.message : `failed: ${error}`)
  const release = scope.hold()
  try {
    void environment.actions.later
      .run(senderOf(plan), work, failed)
      .finally(() => giveBack(scope, reserved))
      .finally(release)
  } catch (error) {
    release()
    throw error
  }
}
