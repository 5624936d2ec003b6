import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { counted, declined, plural } from '../../kinds/gate.ts'
import { finalContract, writesOf } from '../plan/chain-charges.ts'
import type { Plan } from '../plan/compare.ts'
import { isWriting } from './stages.ts'

/** What a run may do without asking. */
export interface Consent {
  readonly yes?: boolean
  readonly publish?: boolean
  readonly acceptCharges?: boolean
}

/**
 * The plan as far as it may be carried out: asks for what it changes, for charges, and for publishing, which a no
 * leaves undone while the drafts are made. Fails with a no to the others, and where nobody can be asked.
 */
export async function consented(plan: Plan, consent: Consent, context: Context): Promise<Plan> {
  const { prompt } = context
  const allowed = await withPublishing(plan, consent, context)
  if (!isChanging(allowed)) return allowed
  if (!(await prompt.confirm(questionOf(allowed), '--yes', consent.yes))) throw declined()
  await acceptCharges(allowed, consent.acceptCharges, context)
  return allowed
}

export const isChanging = ({ steps, deletions }: Plan): boolean =>
  deletions.length > 0 || steps.some((step) => step.publishes || isWriting(step))

function questionOf({ steps, deletions }: Plan): string {
  const changed = steps.filter(isWriting).length
  const published = steps.filter(({ publishes }) => publishes).length
  const parts = [
    changed > 0 && `write ${plural(changed, 'record')}`,
    deletions.length > 0 && `delete ${deletions.length}`,
    published > 0 && `publish ${published}`,
  ].filter((part) => part !== false)
  return `Apply this plan: ${parts.join(', ')}?`
}

/** Publishing is final: it is never covered by --yes. */
async function withPublishing(plan: Plan, { yes, publish }: Consent, { prompt, output }: Context): Promise<Plan> {
  const names = plan.steps.filter(({ publishes }) => publishes).map(({ document }) => document.name)
  if (names.length === 0) return plan
  const may =
    publish || (yes !== true && prompt.canAsk() && (await prompt.confirm(publishing(names), '--publish', publish)))
  if (may) return plan
  output.note(
    styled`${plural(names.length, 'record')} ${names.length === 1 ? 'stays a draft' : 'stay drafts'}: --publish publishes, which is final, and so does a saved plan`,
  )
  return withoutPublishing(plan)
}

/** A plan that leaves drafts as drafts. */
export const withoutPublishing = (plan: Plan): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, publishes: false })),
})

const publishing = (names: readonly string[]) =>
  `Publish ${names.length === 1 ? names[0] : plural(names.length, 'record')}? That is final`

async function acceptCharges(plan: Plan, accepted: boolean | undefined, { prompt, output }: Context): Promise<void> {
  const { charged } = writesOf(plan)
  const contracts = plan.steps.filter(finalContract).length
  if (charged.length === 0 && contracts === 0) return
  if (charged.length > 0) output.warn(styled`eth on mainnet: ${counted(charged)} will be charged`)
  if (contracts > 0) output.warn(styled`eth on mainnet: publishing makes ${plural(contracts, 'contract')} final`)
  if (!(await prompt.confirm('Accept the charges?', '--accept-charges', accepted))) throw declined()
}
