import { isUnpredicted, unlessRefused } from '../../../client/errors.ts'
import type { Warning } from '../../../contract/api/warnings.ts'
import { isFinalAction, recipientIn } from '../../../contract/kinds/standard-actions.ts'
import type { Context } from '../../context.ts'
import { printWarnings } from '../../io/warnings.ts'
import { confirmed } from '../../kinds/confirmations.ts'
import { builtIn } from '../../vatoms/vatom-table.ts'
import { callerId } from './whereabouts.ts'

/** What an action that is final would be performed on. */
interface FinalAct {
  readonly action: string
  readonly id: string
  /** What performs it. */
  readonly body: { readonly [input: string]: unknown; readonly 'this.id': string }
  /** What goes with the vAtom: `, with 3 vAtoms inside`. */
  readonly along: string
  readonly yes: boolean | undefined
}

/**
 * Asks a person at a terminal before an action that is final, unless the service would refuse it: then throws its error.
 * Without a terminal it is performed as it is given. Returns what the service warned of, which is printed above the question.
 */
export async function askBeforeFinal(
  { action, id, body, along, yes }: FinalAct,
  context: Context,
): Promise<readonly Warning[]> {
  if (!isFinalAction(action) || yes || context.dryRun || !context.prompt.canAsk()) return []
  const { client, dryRun } = await context.connect()
  await refusedAtOnce((await dryRun(() => {}))?.client.performAction({ action, body }))
  const warnings = context.warnings.take()
  // A merchant may redeem what they cannot see.
  const vatom = await client.getVatom({ id }).catch(unlessRefused)
  const title = (vatom && builtIn('title')(vatom)) || 'vAtom'
  const recipient = recipientIn(body)
  const what = recipient === undefined ? action : `${action} to ${recipient}`
  const isHandedIn = action === 'Redeem' && recipient === undefined && vatom !== undefined
  const isOwn = isHandedIn && builtIn('owner')(vatom) === (await callerId(context))
  const toPlatform = isOwn ? ' It is yours: it goes to the platform.' : ''
  printWarnings(warnings, context.output)
  await confirmed(`${what} is final. Perform it on ${title} ${id}${along}?${toPlatform}`, '--yes', yes, context)
  return warnings
}

/** Throws the error of a dry run; what cannot be predicted is no error. */
async function refusedAtOnce(tried: Promise<unknown> | undefined): Promise<void> {
  await tried?.catch((error: unknown) => {
    if (!isUnpredicted(error)) throw error
  })
}
