import { ApiError } from '../../contract/errors.ts'
import type { UserScope } from '../environment.ts'
import { maySee } from '../records/access.ts'
import { changedPrivate, privateOf } from '../records/private.ts'
import { rewrite } from '../records/rewrite.ts'
import { trashUser } from '../store/vatom-life.ts'
import type { VatomRow } from '../store/vatoms.ts'
import { checkUsable } from './available.ts'
import { countRun, reserveRun } from './callers.ts'
import { type Carrier, carrierOf } from './carriers.ts'
import { change } from './changes.ts'
import { callHandler, type Reply, type Stage } from './handler.ts'
import { notify } from './notify.ts'
import type { Reactor, Run, Told } from './reactor.ts'
import type { Action } from './settings.ts'

/** An action that is run on a vAtom, by itself or before or after another. */
export interface Step {
  readonly scope: UserScope
  readonly action: Action
  readonly stage: Stage
  readonly vatom: string
  readonly input: Run['input']
}

/** The vAtom that an action is for, if the caller may have that act on it; else the declared refusal. */
export function actedOn(scope: UserScope, id: string, reactor: Reactor | undefined): VatomRow {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom) throw new ApiError('unknownVatom', `no vAtom has the id ${id}`)
  if (maySee(scope, vatom) || (vatom.owner !== trashUser && reactor?.reaches?.(scope, vatom))) return vatom
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
  config: action.settings.config,
  vatom,
  input,
})

const react = (step: Step, reactor: Reactor): Promise<unknown> =>
  step.scope.store.write(() => {
    const vatom = actedOn(step.scope, step.vatom, reactor)
    checkUsable(vatom)
    const { output, told } = reactor.act(runOf(step, vatom))
    return concluded(step, output, told)
  })

type Handled = Extract<Carrier, { readonly url: URL }>

/** What the handler saw must still be so when what it changes is written: of two callers at once, one is refused. */
async function handle(step: Step, carrier: Handled): Promise<unknown> {
  const giveBack = step.stage === 'main' ? reserveRun(step.scope, step.action) : () => undefined
  try {
    return await handleReserved(step, carrier, giveBack)
  } finally {
    giveBack()
  }
}

/** The reserved run is given back in the write that counts it. */
async function handleReserved(step: Step, { url }: Handled, giveBack: () => void): Promise<unknown> {
  const { scope, action } = step
  const seen = shownTo(step)
  const reply = await callHandler(url, runOf(step, seen), action, step.stage)
  return await scope.store.write(() => {
    giveBack()
    const vatom = shownTo(step)
    if (reply.private) changePrivate(runOf(step, vatom), seen, reply.private)
    return concluded(step, reply.output ?? {})
  })
}

/** The vAtom that a handler is shown. After the action the caller need not see it: they may have given it away. */
function shownTo({ scope, stage, vatom: id }: Step): VatomRow {
  const vatom = stage === 'post' ? scope.store.vatoms.byId(id) : undefined
  if (vatom) return vatom
  const found = actedOn(scope, id, undefined)
  checkUsable(found)
  return found
}

function changePrivate(run: Run, seen: VatomRow, changes: NonNullable<Reply['private']>): void {
  const { scope, vatom } = run
  if (vatom.json !== seen.json)
    throw new ApiError('vatomChanged', `the vAtom ${vatom.id} was changed while the handler was at work`)
  const after = changedPrivate(privateOf(vatom), changes)
  change(run, () => rewrite(scope, vatom, { private: after }))
}

/** Of an action that others run before or after them, no run is counted. */
function concluded(step: Step, output: unknown, told?: Told): unknown {
  if (step.stage === 'main') countRun(step.scope, step.action)
  notify(step, told)
  return output
}
