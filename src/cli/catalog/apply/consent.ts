import { plural } from '../../../contract/schema/wording.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import {
  type CreationConsent,
  chargedLine,
  confirmAddresses,
  confirmed,
  publicationTyped,
} from '../../kinds/confirmations.ts'
import { makesContractFinal, planWritesOf } from '../plan/chain-charges.ts'
import { finalAddresses, isChanging, isWriting, type Plan, withoutPublishing } from '../plan/plan.ts'
import { takeoverText, takesOver } from '../plan/takeovers.ts'

/** What a run may do without a question. */
export interface Consent extends CreationConsent {
  readonly publish?: boolean
  readonly takeOver?: boolean
}

/**
 * Asks whether to publish, to take over records of other catalogs, to change records, and to accept addresses and
 * charges, if the consent does not say so. Returns the plan, without publishing if the answer to that is no. Throws
 * `declined` for any other no, and a usage error if there is no terminal.
 */
export async function consented(plan: Plan, consent: Consent, context: Context): Promise<Plan> {
  const allowed = await publishingAllowed(plan, consent, context)
  if (takesOver(allowed))
    await confirmed(`Take over ${takeoverText(allowed.steps)}?`, '--take-over', consent.takeOver, context)
  if (!isChanging(allowed)) return allowed
  await confirmed(questionOf(allowed), '--yes', consent.yes, context)
  await confirmAddresses(finalAddresses(allowed), consent.acceptAddresses, context)
  await acceptCharges(allowed, consent, context)
  return allowed
}

function questionOf({ steps, deletions }: Plan): string {
  const written = steps.filter(isWriting).length
  const published = steps.filter(({ publishes }) => publishes).length
  const parts = [
    written > 0 && `write ${plural(written, 'record')}`,
    deletions.length > 0 && `delete ${deletions.length}`,
    published > 0 && `publish ${published}`,
  ].filter((part) => part !== false)
  return `Apply this plan: ${parts.join(', ')}?`
}

/** Publishing is final, so a person types it, unless --yes and --publish are both given. */
async function publishingAllowed(plan: Plan, { yes, publish }: Consent, context: Context): Promise<Plan> {
  const names = plan.steps.filter(({ publishes }) => publishes).map(({ document }) => document.name)
  const asks = context.prompt.canAsk() && !(yes && publish)
  if (names.length === 0 || (publish && !asks)) return plan
  if (!asks) return withoutPublishing(plan, 'not allowed')
  return (await publicationTyped(names, '--publish', context)) ? plan : withoutPublishing(plan, 'declined')
}

async function acceptCharges(plan: Plan, consent: Consent, context: Context): Promise<void> {
  const { charged } = planWritesOf(plan)
  const contracts = plan.steps.filter(makesContractFinal).length
  if (charged.length === 0 && contracts === 0) return
  if (charged.length > 0) context.output.warn(chargedLine(charged))
  if (contracts > 0)
    context.output.warn(styled`eth on mainnet: publishing makes ${plural(contracts, 'contract')} final`)
  await confirmed('Accept the charges?', '--accept-charges', consent.acceptCharges, context)
}
