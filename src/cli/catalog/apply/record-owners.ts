import type { Context } from '../../context.ts'
import type { Row } from '../../kinds/results.ts'
import { type Owners, ownersOf, ownKey } from '../owners.ts'
import type { Plan } from '../plan/plan.ts'

/** Records that the catalog of a plan owns what was applied; `rows` are its outcomes, those of documents first. */
export async function recordOwners(
  { steps, deletions, catalogs }: Plan,
  rows: readonly Row[],
  context: Context,
): Promise<void> {
  const [catalog] = catalogs
  if (catalog === undefined) return
  const store = await ownersOf(context)
  const owners = await store.read()
  const isDone = (index: number) => rows[index] !== undefined && rows[index].failure === undefined
  const applied = steps.filter((_, index) => isDone(index)).map(({ document: { kind, value } }) => ownKey(kind, value))
  const deleted = new Set(deletions.filter((_, index) => isDone(steps.length + index)).map((one) => one.ownKey))
  const isKnown = applied.every((key) => owners[key] === catalog) && deleted.size === 0
  if (isKnown) return
  const own = new Map(applied.map((key) => [key, catalog]))
  const remaining = (all: Owners) => Object.entries(all).filter(([key]) => !deleted.has(key))
  await store.update((all) => Object.fromEntries([...remaining(all), ...own]))
}
