import { limits } from '../../../contract/limits.ts'
import { messageOf } from '../../../contract/unknown-values.ts'
import type { Portions, Steps } from '../../store/slices.ts'
import type { Store } from '../../store/store.ts'

/** Runs that are removed in a step. */
export const runsAtOnce = 500

type Runs = Pick<Store, 'actionRuns'>

/** Removes the runs of limited actions that were deleted, some at a time, while others write: users may have run one by the million. */
export async function removeLeftRuns(store: Store): Promise<void> {
  const rows = store.actionRuns.someLeft(limits.fewRows + 1).length
  if (rows > 0) await store.tidyInPortions(rows, removal)
}

function* removal(tables: Runs): Portions<void> {
  while (tables.actionRuns.someLeft(1).length > 0) yield removeSome(tables)
}

function* removeSome({ actionRuns }: Runs): Steps<void> {
  if (actionRuns.removeLeft(runsAtOnce)) yield
}

/**
 * The same after a deletion, which has succeeded whatever comes of this: what is left then goes with the next one, or when a
 * service begins to listen.
 */
export async function removeRunsAfterwards(store: Store, log: ((line: string) => void) | undefined): Promise<void> {
  await removeLeftRuns(store).catch((error: unknown) => {
    log?.(`runs of deleted actions are removed when the service starts again: ${messageOf(error)}`)
  })
}
