import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { fileStore, type Store, unlessUnusable } from '../../service/config.ts'
import { targetFile, targetName } from '../../service/target-name.ts'
import type { ReadPlan } from '../plan/saved-plan.ts'

/** When saved plans were carried out as a whole from this machine, by their digests. */
type CarriedOut = Readonly<Record<string, string>>

/** How many plans of a service are recorded, the newest ones. */
const most = 1000

/** The saved plans of the service that a run uses which were carried out as a whole from this machine. */
export async function carriedOutPlans({ dirs, target }: Pick<Context, 'dirs' | 'target'>): Promise<Store<CarriedOut>> {
  return fileStore<CarriedOut>(
    join(dirs.data, 'plans'),
    targetFile(targetName(await target())),
    {},
    async (value) => (await import('../../service/saved.ts')).CarriedOut.parse(value),
    { afterDeletion: 'make saved plans again', variable: 'VATOM_DATA_DIR' },
  )
}

/** Records that a plan was carried out, unless it is known to have been. That all of it is done, is not undone by a full disk. */
export async function recordCarriedOut(
  { digest }: ReadPlan,
  plans: Store<CarriedOut>,
  { host }: Pick<Context, 'host'>,
): Promise<void> {
  const at = host.now().toISOString()
  await plans
    .update((all) => Object.fromEntries(Object.entries({ [digest]: at, ...all }).slice(0, most)))
    .catch(unlessUnusable)
}
