import type { Client } from '../../../client/client.ts'
import { variation } from '../../../contract/kinds/variation.ts'
import type { Context } from '../../context.ts'
import { countOf, type Emitted, emittedText, emittedWithOwners } from '../../kinds/draft-contents.ts'
import { ifFound, readRecord } from '../../kinds/requests.ts'
import { type Doomed, refusedLater } from '../../kinds/verbs/delete.ts'
import { inParallel } from '../../service/in-parallel.ts'

/** Variations that are to be deleted, each with its vAtoms. */
export async function variationsToDelete(names: readonly string[], context: Context): Promise<readonly Doomed[]> {
  const { client } = await context.connect()
  return inParallel(names, async (name) => {
    const [emitted] = await emittedOf(client, name).catch(refusedLater)
    if (emitted === undefined) return { name, contents: [] }
    const contents = emittedText(emitted)
    return { name, contents, takesVatoms: contents.length > 0, vatoms: countOf(emitted) }
  })
}

/** What is deleted with a variation; nothing is known of one that does not exist. */
async function emittedOf(client: Client, name: string): Promise<readonly Emitted[]> {
  const record = await ifFound(readRecord(client, variation, name))
  return record ? [await emittedWithOwners(client, [record], ['template_variation', name])] : []
}
