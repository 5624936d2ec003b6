import { isUnpredicted } from '../../../client/errors.ts'
import type { Warning } from '../../../contract/api/warnings.ts'
import { recipientIn } from '../../../contract/kinds/standard-actions.ts'
import type { Context } from '../../context.ts'
import { printWarnings } from '../../io/warnings.ts'
import { confirmed } from '../../kinds/confirmations.ts'
import { builtIn } from '../../vatoms/vatom-table.ts'
import type { ActedOn } from './acted-on.ts'
import { callerId } from './whereabouts.ts'

/** An action that a person may have to confirm. */
interface AskedAct extends ActedOn {
  /** What performs it. */
  readonly body: { readonly [input: string]: unknown; readonly 'this.id': string }
  /** What goes with the vAtom: `, with 3 vAtoms inside`. */
  readonly along: string
}

/**
 * Asks the person at a terminal before an action that is final, unless the service would refuse it: then throws its error.
 * Returns what the service warned of, which is printed above the question.
 */
export async function askBeforeFinal(
  { action: { name, standard, isFinal }, vatom, id, body, along }: AskedAct,
  context: Context,
): Promise<readonly Warning[]> {
  if (!isFinal) return []
  const { dryRun } = await context.connect()
  await refusedAtOnce((await dryRun(() => {}))?.client.performAction({ action: name, body }))
  const warnings = context.warnings.take()
  const title = (vatom && builtIn('title')(vatom)) || 'vAtom'
  const recipient = recipientIn(body)
  const what = recipient === undefined ? name : `${name} to ${recipient}`
  const isHandedIn = standard?.name === 'Redeem' && recipient === undefined && vatom !== undefined
  const isOwn = isHandedIn && builtIn('owner')(vatom) === (await callerId(context))
  const toPlatform = isOwn ? ' It is yours: it goes to the platform.' : ''
  printWarnings(warnings, context.output)
  await confirmed(`${what} is final. Perform it on ${title} ${id}${along}?${toPlatform}`, '--yes', undefined, context)
  return warnings
}

/** Throws the error of a dry run; what cannot be predicted is no error. */
async function refusedAtOnce(tried: Promise<unknown> | undefined): Promise<void> {
  await tried?.catch((error: unknown) => {
    if (!isUnpredicted(error)) throw error
  })
}
