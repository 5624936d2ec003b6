import { plural } from '../../../contract/schema/wording.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import {
  type CreationConsent,
  confirmAddresses,
  confirmCharges,
  confirmed,
  confirmFinalContracts,
  publicationTyped,
  typedFinal,
  typesDeletion,
} from '../../kinds/confirmations.ts'
import { withAll } from '../../kinds/draft-contents.ts'
import { makesContractFinal, planWritesOf } from '../plan/chain-charges.ts'
import { deletedVatoms } from '../plan/deleted-vatoms.ts'
import { type Deletion, finalAddresses, isChanging, isWriting, type Plan, withoutPublishing } from '../plan/plan.ts'
import { takeoverText, takesOver } from '../plan/takeovers.ts'

/** What a run may do without a question. */
export interface Consent extends CreationConsent {
  readonly publish?: boolean
  readonly takeOver?: boolean
}

/**
 * Asks whether to publish and delete, to take over records of other catalogs, to change records, and to accept addresses
 * and charges, if the consent does not say so. Who typed what cannot be undone is not asked again about the plan. Returns
 * the plan, without publishing if the answer to that is no. Throws `declined` for any other no, and a usage error if there
 * is no terminal.
 */
export async function consented(plan: Plan, consent: Consent, context: Context): Promise<Plan> {
  const { allowed, isTyped } = await finalAllowed(plan, consent, context)
  if (takesOver(allowed))
    await agreed('take_over', confirmed(takeoverQuestion(allowed, consent), '--take-over', consent.takeOver, context))
  if (!isChanging(allowed)) return allowed
  if (!isTyped) await confirmed(questionOf(allowed), '--yes', consent.yes, context)
  await agreed('private_addresses', confirmAddresses(finalAddresses(allowed), consent.acceptAddresses, context))
  await agreed('charges', acceptCharges(allowed, consent, context))
  return allowed
}

/** Who gave --yes expects no question. */
const takeoverQuestion = ({ steps }: Plan, { yes }: Consent): string =>
  `Take over ${takeoverText(steps)}${yes ? ' (--take-over agrees to it)' : ''}?`

/** The codes of failures for what a flag of its own has to agree to, where nobody can be asked. */
const agreements = ['take_over', 'private_addresses', 'charges'] as const

/** Waits for the answer to such a question; where nobody can give it, the failure has a code that no other mistake of a command line has. */
async function agreed(code: (typeof agreements)[number], answer: Promise<void>): Promise<void> {
  try {
    await answer
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== exit.usage) throw error
    throw new Failure(code, exit.usage, error.message, { hint: error.hint })
  }
}

/** A failure for want of such an agreement; throws any other error. */
export function unlessAgreed(error: unknown): Failure {
  if (error instanceof Failure && agreements.some((code) => code === error.code)) return error
  throw error
}

function questionOf({ steps, deletions }: Plan): string {
  const written = steps.filter(isWriting).length
  const published = steps.filter(({ publishes }) => publishes).length
  const parts = [
    written > 0 && `write ${plural(written, 'record')}`,
    deletions.length > 0 && `delete ${deletions.length}`,
    published > 0 && `publish ${published}`,
  ].filter((part) => part !== false)
  const drafts = steps.filter(({ staysDraft }) => staysDraft === 'declined').length
  const rest = drafts === 0 ? '' : drafts === 1 ? '; 1 stays a draft' : `; ${drafts} stay drafts`
  return `Apply this plan: ${parts.join(', ')}${rest}?`
}

/** A plan as far as publishing is allowed, and whether a person typed what of it cannot be undone. */
interface Allowed {
  readonly allowed: Plan
  readonly isTyped: boolean
}

/**
 * Publishing is final, so a person types it; and what is deleted, if that is much, has vAtoms, or stands beside what is
 * published. Each is a question of its own, the deletions first: who does not type what is published leaves drafts.
 */
async function finalAllowed(plan: Plan, { yes, publish }: Consent, context: Context): Promise<Allowed> {
  const { deletions } = plan
  const names = plan.steps.filter(({ publishes }) => publishes).map(({ document }) => document.name)
  const isAsked = context.prompt.canAsk() && !yes
  if (!isAsked) {
    const isAllowed = names.length === 0 || publish
    return { allowed: isAllowed ? plan : withoutPublishing(plan, 'not allowed'), isTyped: false }
  }
  const takesVatoms = deletions.some(({ emitted }) => emitted !== undefined)
  const typesDeletions = deletions.length > 0 && (names.length > 0 || typesDeletion(deletions.length, takesVatoms))
  if (typesDeletions)
    await typedFinal(
      deletionText(deletions),
      { expected: `delete ${deletions.length}`, hint: names.length === 0 ? notDeleted : notPublished },
      context,
    )
  if (names.length === 0) return { allowed: plan, isTyped: typesDeletions }
  const isPublished = await publicationTyped(names, '--publish', context, typesDeletions ? withoutTyping : undefined)
  return {
    allowed: isPublished ? plan : withoutPublishing(plan, 'declined'),
    isTyped: isPublished || typesDeletions,
  }
}

/** What else a person can do who does not type what is deleted, and where something would be published after that. */
const notDeleted = 'without --prune and --prune-unowned, apply deletes nothing'
const notPublished = `${notDeleted}; with --yes and without --publish, it does all but the publishing, also the deletions`

/** What comes of a plan whose deletions were typed, if what is published is not. */
const withoutTyping = 'Enter leaves drafts, and does the rest, also the deletions'

/** `delete 399 records with 12 vAtoms` */
function deletionText(deletions: readonly Deletion[]): string {
  return `delete ${plural(deletions.length, 'record')}${withAll(deletedVatoms(deletions))}`
}

/** Asks once: who accepts charges accepts that contracts become final, too. */
async function acceptCharges(plan: Plan, { acceptCharges: accepted }: Consent, context: Context): Promise<void> {
  const { charged } = planWritesOf(plan)
  if (charged.length > 0) return await confirmCharges(charged, accepted, context)
  const contracts = plan.steps.filter(makesContractFinal).length
  if (contracts > 0) await confirmFinalContracts(contracts, accepted, context)
}
