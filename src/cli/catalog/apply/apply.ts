import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import type { Row } from '../../kinds/results.ts'
import type { CatalogFiles } from '../load-valid.ts'
import { compareCatalog } from '../plan/compare.ts'
import { isChanging, isRefused, type Plan } from '../plan/plan.ts'
import { headlineOf, planLines } from '../plan/plan-lines.ts'
import { documentsOf, type ReadPlan, targetName } from '../plan/saved-plan.ts'
import { warnOfDuplicates } from '../plan/show-plan.ts'
import { carryOut } from './carry-out.ts'
import { type Consent, consented } from './consent.ts'
import { refusedRows } from './outcome-rows.ts'
import { checkUnchanged, isCarriedOut } from './unchanged-since.ts'
import { withLedger } from './with-ledger.ts'

/** Reports what became of the documents; throws Reported where not all succeeded. */
export type Finish = (rows: readonly Row[]) => Promise<void>

/** Compares a catalog with the service, asks before it changes anything, and carries it out. */
export async function applyCatalog(
  { documents, publisher }: CatalogFiles,
  { prune, ...consent }: Consent & { readonly prune: boolean },
  finish: Finish,
  context: Context,
): Promise<void> {
  await withLedger(null, context, async (ledger) => {
    const plan = await compareCatalog(documents, { publisher, prune }, context)
    warnOfDuplicates(plan, context.output)
    if (isRefused(plan)) return finish(refusedRows(plan))
    if (isChanging(plan)) showBefore(plan, consent, context)
    const allowed = await consented(plan, consent, context)
    return finish(await carryOut(allowed, ledger, context))
  })
}

/** A plan that needs an answer is shown whole; else the rows say what is done as it is done. */
function showBefore(plan: Plan, { yes }: Consent, { output }: Context): void {
  if (yes) output.note(headlineOf(plan))
  else output.complain(planLines(plan, { paint: output.notePaint }))
}

/**
 * Carries out a saved plan, publishing and charges included, unless the service was changed after it was made. A plan
 * that was carried out already leaves nothing to do.
 */
export async function applySaved({ digest, content }: ReadPlan, finish: Finish, context: Context): Promise<void> {
  const target = targetName(await context.target())
  if (content.target !== target)
    throw usage(`The plan was made for ${content.target}, and this is ${target}`, 'choose its context, or plan again')
  await withLedger(digest, context, async (ledger) => {
    const plan = await compareCatalog(documentsOf(content), content, context)
    warnOfDuplicates(plan, context.output)
    if (!(await isCarriedOut(plan, content, context))) checkUnchanged(plan, content, ledger.begun)
    if (isRefused(plan)) return finish(refusedRows(plan))
    return finish(await carryOut(plan, ledger, context))
  })
}
