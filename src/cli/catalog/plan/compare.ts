import { ServiceError } from '../../../client/errors.ts'
import { sectionOf } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { exit } from '../../failure/failure.ts'
import { toFailure } from '../../failure/translate.ts'
import type { Host } from '../../host.ts'
import { countProgress } from '../../io/progress.ts'
import { emittedText, emittedWithOwners } from '../../kinds/draft-contents.ts'
import { stopsAll } from '../../kinds/send.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { isElsewhere } from '../../service/target.ts'
import type { Ownership } from '../owners.ts'
import { withFollowers } from './followers.ts'
import { ownedHere } from './not-offered.ts'
import { isTemplate, type Plan, type Step, type Unlisted } from './plan.ts'
import { deletionCheck, faceRefusal } from './refusals.ts'
import { recordsOf } from './service-records.ts'
import { catalogOf, refusedStep, stepFor } from './step.ts'
import { withOwner } from './takeovers.ts'
import { ofPublisher, unlistedOf, withoutDeleted } from './unlisted.ts'

export interface CompareOptions {
  readonly publisher: string
  readonly ownership: Ownership
  /** Whether a record that is in no file is deleted; none is without it. */
  readonly prunes?: ((record: Unlisted) => boolean) | undefined
}

/** Compares documents, in the order in which they are created, with what the service has: the plan that makes them equal. */
export async function compareCatalog(
  documents: readonly LoadedDocument[],
  { publisher, ownership, prunes }: CompareOptions,
  context: Context,
): Promise<Plan> {
  const { host, output } = context
  const { client } = await context.connect()
  const records = recordsOf(client, documents)
  const catalog = catalogOf(documents, records, {
    publisher,
    isElsewhere: isElsewhere(await context.target()),
    cwd: host.cwd,
    beside: ownership.beside,
    elsewhere: ownership.elsewhere,
  })
  const progress = await countProgress(output, host, 'compare', documents.length)
  try {
    const compared = await inParallel(documents, async (document) => {
      progress.step(`comparing ${document.kind} ${document.name}`)
      const step = await stepFor(document, catalog, client).catch((error) => refusedBy(error, document, host))
      host.signal.throwIfAborted()
      return withOwner(step, ownership)
    })
    const found = unlistedOf(compared, records, ofPublisher(ownership, publisher))
    const all = await (prunes ? found : found.catch((error) => noneIfRefused(error, host)))
    const isDeleted = (one: Unlisted) => !one.isFinal && prunes?.(one) === true
    const unlisted = all.map(await deletionCheck(compared, all.length > 0 ? ownership.beside : undefined, host))
    const deletions = await inParallel(unlisted.filter(isDeleted), async (one) => {
      if (one.contents.length === 0) return one
      const draft = sectionOf(await records.named(one.kind, one.key))
      const emitted = await emittedWithOwners(client, [draft], ['template_variation', one.key])
      return { ...one, emitted, contents: emittedText(emitted) }
    })
    const steps = await inParallel(compared, async (step) => {
      const { document, record } = step
      if (!step.publishes || !isTemplate(document)) return step
      const refusal = await faceRefusal(step, catalog, { unlisted: ownership.isPartial ? [] : unlisted, deletions })
      return refusal ? { ...step, ...refusedStep(document, refusal, record) } : step
    })
    const { catalogs, isPartial } = ownership
    const remaining = unlisted.filter((one) => !isDeleted(one)).map((one) => withoutDeleted(one, deletions))
    return {
      steps: await withFollowers({ steps, deletions }, records),
      deletions,
      unlisted: remaining,
      catalogs,
      isPartial,
      isOwnedHere: ownedHere(ownership),
    }
  } finally {
    progress.stop()
  }
}

/** A plan that deletes nothing does not need the lists, which a service may refuse. */
async function noneIfRefused(error: unknown, host: Host): Promise<Unlisted[]> {
  const isRefused = error instanceof ServiceError && (await toFailure(error, host)).exitCode !== exit.unreachable
  if (isRefused) return []
  throw error
}

/** A document's own failure refuses it; a failure that all others would have too ends the run. */
async function refusedBy(error: unknown, document: LoadedDocument, host: Host): Promise<Step> {
  const refusal = await toFailure(error, host)
  if (stopsAll(refusal) && refusal.code !== 'foreign_record') throw error
  return refusedStep(document, refusal)
}
