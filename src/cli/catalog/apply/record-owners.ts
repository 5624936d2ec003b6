import type { Client } from '../../../client/client.ts'
import { face } from '../../../contract/kinds/face.ts'
import { limits } from '../../../contract/limits.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { messageOf } from '../../../contract/unknown-values.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { facesOf } from '../../kinds/requests.ts'
import type { Row } from '../../kinds/results.ts'
import type { Connection } from '../../service/connect.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { catalogsOf, labelOf } from '../catalog-names.ts'
import { folderKey, knownOwners, labelKey, labelsOn, type Owners, ownKey } from '../owners.ts'
import type { Plan, Step } from '../plan/plan.ts'

/** A step that was done, and the catalog of its document. */
interface Applied {
  readonly step: Step
  readonly catalog: string
}

/**
 * Records which catalogs own what was applied: on this machine, and on the service if it stores labels. `rows` are the
 * outcomes of the plan, those of documents first. A failure is only a warning: the next run records it.
 */
export async function recordOwners(plan: Plan, rows: readonly Row[], context: Context): Promise<void> {
  const isDone = (index: number) => rows[index] !== undefined && rows[index].failure === undefined
  const applied = plan.steps.flatMap((step, index): Applied[] => {
    const catalog = plan.catalogs[step.document.file]
    return catalog !== undefined && isDone(index) ? [{ step, catalog }] : []
  })
  const deleted = plan.deletions.filter((_, index) => isDone(plan.steps.length + index)).map((one) => one.ownKey)
  try {
    await recordHere(applied, new Set(deleted), context)
    if (!context.host.signal.aborted) await label(applied, await context.connect())
  } catch (error) {
    context.output.warn(
      styled`which catalog owns what was applied could not be recorded: ${messageOf(error)}; apply again`,
    )
  }
}

async function recordHere(applied: readonly Applied[], deleted: ReadonlySet<string>, context: Context): Promise<void> {
  const store = await knownOwners(context)
  const before = await store.read()
  const files = applied.map(({ step: { document } }) => document.file)
  const { named } = await catalogsOf([], files, context.host.cwd)
  const own = [
    ...applied.map(({ step: { document }, catalog }) => [ownKey(document.kind, document.value), catalog] as const),
    ...[...named].map(([folder, catalog]) => [folderKey(folder), catalog] as const),
  ]
  if (own.every(([key, catalog]) => before[key] === catalog) && deleted.size === 0) return
  const remaining = (all: Owners) => Object.entries(all).filter(([key]) => !deleted.has(key))
  await store.update((all) => Object.fromEntries([...remaining(all), ...own]))
}

/** Labels what was applied, where its label is another one. */
async function label(applied: readonly Applied[], connection: Connection): Promise<void> {
  const found = await labelsOn(connection)
  if (found === undefined) return
  const { client } = connection
  const ids = await newFaceIds(applied, client)
  const changed = applied
    .map(({ step: { document, record }, catalog }) => ({
      kind: document.kind,
      key: record?.key ?? ids.get(ownKey(document.kind, document.value)) ?? document.name,
      catalog: labelOf(catalog),
    }))
    .filter(({ catalog, ...record }) => catalog !== (found.labels?.[labelKey(record)] ?? null))
  for (const [catalog, records] of groupBy(changed, (one) => one.catalog))
    for (let first = 0; first < records.length; first += limits.pageMax) {
      const some = records.slice(first, first + limits.pageMax).map(({ kind, key }) => ({ kind, key }))
      await client.labelRecords({ body: { catalog, records: some } })
    }
}

/** The ids of faces that were created, by their `ownKey`. */
async function newFaceIds(applied: readonly Applied[], client: Client): Promise<ReadonlyMap<string, string>> {
  const created = applied.filter(({ step }) => step.record === undefined && step.document.kind === face.name)
  const templates = new Set(created.map(({ step }) => String(step.document.value.template)))
  const found = await inParallel([...templates], (template) => facesOf(client, template))
  return new Map(found.flat().map((one) => [ownKey(face.name, face.documentOf(one)), one.id]))
}
