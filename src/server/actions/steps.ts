import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { checkOwner, maySee } from '../domain/access.ts'
import { asNow, writeInStepsAs } from '../domain/caller.ts'
import { checkOwnNotHeld } from '../domain/users/held-vatoms.ts'
import { rowsChecked, rowsIn } from '../domain/vatoms/contents.ts'
import { changedPrivate, privateOf, rewrite } from '../domain/vatoms/properties.ts'
import { atOnce, type Steps } from '../store/slices.ts'
import { trashUser, type VatomRow } from '../store/vatoms/vatoms.ts'
import type { Action } from './action.ts'
import { checkCaller, countRun, type ReservedRun } from './callers.ts'
import type { ActingScope } from './engine.ts'
import { type Carrier, carrierOf, type Reply, type Stage } from './handlers.ts'
import { type Notification, notify } from './notifications.ts'
import { afterwards } from './partly-done.ts'
import { checkUsable } from './permissions.ts'
import type { Reactor, Run } from './reactor.ts'
import { publishChanged } from './vatom-change.ts'

/** An action that is run on a vAtom, by itself or before or after another. */
export interface Step {
  readonly scope: ActingScope
  readonly action: Action
  readonly stage: Stage
  /** The run of the action that was asked for. */
  readonly reserved: ReservedRun
  readonly vatom: string
  readonly input: Run['input']
  /** `Reactor.reaches` of the action that was asked for. */
  readonly reaches: Reactor['reaches'] | undefined
}

type Aim = Pick<Step, 'scope' | 'vatom' | 'reaches'>

/** The vAtom of an action, if the caller sees it or the action reaches it. Throws `unknownVatom` or `foreignVatom`. */
export function actedOn({ scope, vatom: id, reaches }: Aim, reactor?: Reactor): VatomRow {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom) throw new ApiError('unknownVatom', `no vAtom has the id ${id}`)
  const isReached = () => [reaches, reactor?.reaches].some((one) => one?.(scope, vatom))
  if (maySee(scope, vatom) || (vatom.owner !== trashUser && isReached())) return vatom
  throw new ApiError('foreignVatom', `the vAtom ${id} is neither yours nor public`)
}

/** Runs a step, as one write; answers its output. Throws what Perform Action declares. */
export async function run(step: Step): Promise<unknown> {
  const carrier = carrierOf(step.scope, step.action)
  return 'reactor' in carrier ? await react(step, carrier.reactor) : await handle(step, carrier)
}

const runOf = ({ scope, action, input }: Step, vatom: VatomRow): Run => ({
  scope,
  name: action.short,
  config: action.config,
  vatom,
  input,
})

/** A step with its caller as stored now, who may have been deleted or lost the right to run it meanwhile. */
function current(step: Step): Step {
  const scope = asNow(step.scope)
  if (step.stage === 'main') checkCaller(scope, step.action)
  return { ...step, scope }
}

function react(asked: Step, reactor: Reactor): Promise<unknown> {
  return writeInStepsAs(asked.scope, rowsChanged(asked, reactor), (scope) => reacted({ ...asked, scope }, reactor))
}

/** As how many rows what a reactor looks through and changes counts. */
function rowsChanged({ scope: { store }, vatom: id, input }: Step, reactor: Reactor): number {
  const vatom = reactor.rows && store.vatoms.byId(id)
  return vatom && reactor.rows ? reactor.rows(store, vatom, input) + rowsChecked(store, vatom) : rowsIn(store, [id])
}

/** Call it inside a write. */
function* reacted(asked: Step, reactor: Reactor): Steps<unknown> {
  const step = current(asked)
  const vatom = actedOn(step, reactor)
  checkUsable(vatom)
  yield* checkOwnNotHeld(step.scope, vatom)
  if (reactor.forOwner) checkOwner(step.scope, vatom)
  const { output, notification } = yield* reactor.act(runOf(step, vatom))
  return concluded(step, output, notification)
}

const undone = new Error('a check is never written')

/** Throws what a step would be refused with now, and changes nothing. A handler is not called: only it knows. */
export async function checkStep(step: Step): Promise<void> {
  const carrier = carrierOf(step.scope, step.action)
  if (!('reactor' in carrier)) return
  const quiet = { ...step, scope: { ...step.scope, warn: () => undefined } }
  const { reactor } = carrier
  const checked: Reactor = {
    ...reactor,
    *act(run) {
      yield* reactor.act(run)
      throw undone
    },
  }
  await react(quiet, checked).catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

type Handled = Extract<Carrier, { readonly url: URL }>

/** A vAtom that changed while the handler worked is not written: of two callers at once, one is refused. */
async function handle(asked: Step, { url }: Handled): Promise<unknown> {
  const seen = await look(asked)
  const reply = await asked.scope.environment.actions.call(url, runOf(current(asked), seen), asked.action, asked.stage)
  const written = writeInStepsAs(asked.scope, rowsShown(asked), function* (scope) {
    const step = current({ ...asked, scope })
    const vatom = yield* shownTo(step)
    if (reply.private) changePrivate(runOf(step, vatom), seen, reply.private)
    return concluded(step, reply.output ?? {})
  })
  return await written.catch((error: unknown) => {
    throw afterwards(error, `the handler of ${asked.action.short} was already called`)
  })
}

/** What `shownTo` returns, which looks through much in a write in steps. */
async function look(asked: Step): Promise<VatomRow> {
  const rows = rowsShown(asked)
  if (rows <= limits.fewRows) return atOnce(shownTo(current(asked)))
  return await writeInStepsAs(asked.scope, rows, (scope) => shownTo(current({ ...asked, scope })))
}

/** How many rows `shownTo` looks through, or a few more than few. */
function rowsShown({ scope: { store, user }, stage, vatom: id }: Step): number {
  const vatom = stage === 'post' ? undefined : store.vatoms.byId(id)
  return vatom?.owner === user.id ? rowsChecked(store, vatom) : 0
}

/** The vAtom that a handler is sent. A post-action gets it even if the caller has given it away and no longer sees it. */
function* shownTo(step: Step): Steps<VatomRow> {
  const vatom = step.stage === 'post' ? step.scope.store.vatoms.byId(step.vatom) : undefined
  if (vatom) return vatom
  const found = actedOn(step)
  checkUsable(found)
  yield* checkOwnNotHeld(step.scope, found)
  return found
}

function changePrivate(run: Run, seen: VatomRow, changes: NonNullable<Reply['private']>): void {
  const { scope, vatom } = run
  if (vatom.json !== seen.json)
    throw new ApiError('vatomChanged', `the vAtom ${vatom.id} was changed while the handler was working`)
  const after = changedPrivate(privateOf(vatom), changes)
  rewrite(scope, vatom, { private: after })
  publishChanged(run)
}

/** Counts the run, but not one of a pre- or post-action, and sends the message. */
function concluded(step: Step, output: unknown, notification?: Notification): unknown {
  if (step.stage === 'main') countRun(step.scope, step.action, step.reserved)
  notify(step, notification)
  return output
}
