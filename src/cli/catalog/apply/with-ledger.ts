import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import type { Target } from '../../service/target.ts'
import { targetName } from '../plan/saved-plan.ts'
import { type InterruptedRun, type Ledger, openLedger } from './ledger.ts'
import { settling } from './send-once.ts'

/**
 * Works with the ledger of the service, which is complete once the work succeeded. `plan` is the digest of the saved
 * plan that is carried out; null without one. Throws `ledger_unwritable` or `apply_running`.
 */
export async function withLedger(
  plan: string | null,
  context: Context,
  work: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const target = await context.target()
  const ledger = await openLedger(join(context.dirs.data, 'applied'), {
    target: targetName(target),
    plan,
    now: context.host.now,
  })
  let isComplete = false
  try {
    await waitFor(ledger.interrupted, target, context)
    await work(ledger)
    isComplete = true
  } finally {
    close(ledger, isComplete, context)
  }
}

/** What was done is reported also where the ledger cannot be closed. */
function close(ledger: Ledger, isComplete: boolean, { output }: Context): void {
  try {
    ledger.close(isComplete)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    output.warn(styled`the apply ledger could not be closed: ${why}`)
  }
}

/** Waits until the service has carried out or dropped what an interrupted run sent, so that nothing is done twice. */
async function waitFor(run: InterruptedRun | undefined, target: Target, { host, output }: Context): Promise<void> {
  if (run === undefined) return
  output.note(
    styled`an earlier apply was interrupted: the outcome of ${run.unsettled} of its ${run.begun} writes is unknown; comparing again to continue from there`,
  )
  if (target.kind === 'local') return
  const age = host.now().getTime() - run.unsettledSince.getTime()
  if (age < settling) await host.sleep(Math.min(settling, settling - age))
}
