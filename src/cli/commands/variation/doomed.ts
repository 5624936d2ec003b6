import type { Client } from '../../../client/client.ts'
import { variation } from '../../../contract/kinds/variation.ts'
import type { Context } from '../../context.ts'
import { countOf, type Emitted, emittedText, emittedWithOwners } from '../../kinds/draft-contents.ts'
import { noRecord, stateOf } from '../../kinds/record-state.ts'
import { ifFound, readRecord } from '../../kinds/requests.ts'
import type { Deletion, Doomed, Unread } from '../../kinds/verbs/delete.ts'
import { inParallel } from '../../service/in-parallel.ts'

/** How variations are deleted. */
export const deletion: Deletion = {
  description:
    'Delete draft variations, with the vAtoms that were emitted from them. A published variation cannot be deleted.',
  recordsOf: variationsToDelete,
}

/** Variations that are to be deleted, each with its vAtoms. */
async function variationsToDelete(
  names: readonly string[],
  context: Context,
  unread: Unread,
): Promise<readonly Doomed[]> {
  const { client } = await context.connect()
  return inParallel(names, async (name) => {
    const [found] = await read(client, name).catch(unread)
    if (found === undefined) return { name, contents: [] }
    const { emitted, state } = found
    if (emitted === undefined) return { name, contents: [], state }
    const contents = emittedText(emitted)
    return { name, contents, takesVatoms: contents.length > 0, vatoms: countOf(emitted), state }
  })
}

/** The state of a variation, and what is deleted with it, if it exists. */
async function read(client: Client, name: string): Promise<readonly [{ state: string; emitted?: Emitted }]> {
  const record = await ifFound(readRecord(client, variation, name))
  if (record === undefined) return [{ state: noRecord }]
  const emitted = await emittedWithOwners(client, [record], ['template_variation', name])
  return [{ state: stateOf('variation', [record]), emitted }]
}
