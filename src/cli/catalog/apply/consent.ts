import type { Context } from '../../context.ts'
import { plural, styled } from '../../io/text.ts'
import { chargedLine, confirmed } from '../../kinds/confirmations.ts'
import { makesContractFinal, planWritesOf } from '../plan/chain-charges.ts'
import { isChanging, isWriting, type Plan, withoutPublishing } from '../plan/plan.ts'

/** What a run may do without asking. */
export interface Consent {
  readonly yes?: boolean
  readonly publish?: boolean
  readonly acceptCharges?: boolean
}

/**
 * The plan as far as it may be carried out: asks for what it changes, for charges, and for publishing, without which
 * drafts stay drafts. Throws `declined` where another answer is no, and a usage error where nobody can be asked.
 */
export async function consented(plan: Plan, consent: Consent, context: Context): Promise<Plan> {
  const allowed = await publishingAllowed(plan, consent, context)
  if (!isChanging(allowed)) return allowed
  await confirmed(questionOf(allowed), '--yes', consent.yes, context)
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

/** Publishing is final: --yes does not cover it. */
async function publishingAllowed(plan: Plan, { yes, publish }: Consent, { prompt, output }: Context): Promise<Plan> {
  const names = plan.steps.filter(({ publishes }) => publishes).map(({ document }) => document.name)
  if (names.length === 0) return plan
  const what = names.length === 1 ? names[0] : plural(names.length, 'record')
  const asks = !publish && yes !== true && prompt.canAsk()
  if (publish || (asks && (await prompt.confirm(`Publish ${what}? That is final`, '--publish', publish)))) return plan
  output.note(
    styled`${plural(names.length, 'record')} ${names.length === 1 ? 'stays a draft' : 'stay drafts'}: to publish, give --publish or apply a saved plan; publishing is final`,
  )
  return withoutPublishing(plan)
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
