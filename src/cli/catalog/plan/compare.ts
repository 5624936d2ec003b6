import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { toFailure } from '../../failure/translate.ts'
import type { Host } from '../../host.ts'
import { countProgress } from '../../io/progress.ts'
import { stopsAll } from '../../kinds/send.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { deletionsOf } from './deletions.ts'
import type { Plan, Step } from './plan.ts'
import { recordsOf } from './service-records.ts'
import { catalogOf, refusedStep, stepFor } from './step.ts'

export interface CompareOptions {
  readonly publisher: string
  /** Whether records of the catalog's templates that the catalog does not have are deleted. */
  readonly prune: boolean
}

/** Compares documents, in the order in which they are created, with what the service has: the plan that makes them equal. */
export async function compareCatalog(
  documents: readonly LoadedDocument[],
  { publisher, prune }: CompareOptions,
  context: Context,
): Promise<Plan> {
  const { host, output } = context
  const { client } = await context.connect()
  const records = recordsOf(client, documents)
  const catalog = catalogOf(documents, records, publisher)
  const progress = await countProgress(output, host, 'compare', documents.length)
  try {
    const steps = await inParallel(documents, async (document) => {
      progress.step(`${document.kind} ${document.name}`)
      const step = await stepFor(document, catalog, client).catch((error) => refusedBy(error, document, host))
      host.signal.throwIfAborted()
      return step
    })
    return { steps, deletions: prune ? await deletionsOf(steps, records) : [] }
  } finally {
    progress.stop()
  }
}

/** A document's own failure refuses it; a failure that all others would have too ends the run. */
async function refusedBy(error: unknown, document: LoadedDocument, host: Host): Promise<Step> {
  const refusal = await toFailure(error, host)
  if (stopsAll(refusal) && refusal.code !== 'foreign_record') throw error
  return refusedStep(document, refusal)
}
