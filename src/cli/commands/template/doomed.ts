import type { Client } from '../../../client/client.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { plural } from '../../../contract/schema/wording.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Owners } from '../../catalog/owners.ts'
import { type Context, once } from '../../context.ts'
import { countOf, emittedIn, emittedText, emittedWithOwners, variationsOf } from '../../kinds/draft-contents.ts'
import { allRecords } from '../../kinds/requests.ts'
import { type Deletion, type Doomed, readState, type Unread } from '../../kinds/verbs/delete.ts'
import { inParallel } from '../../service/in-parallel.ts'

/** How templates are deleted. */
export const deletion: Deletion = {
  description:
    'Delete draft templates, with their faces, actions and variations, and the vAtoms that were emitted from these. A published template cannot be deleted.',
  along: ['its faces and actions', 'their faces and actions'],
  recordsOf: templatesToDelete,
}

/** Templates that are to be deleted, each with its variations, and with what belongs to it and is of another catalog. */
async function templatesToDelete(
  names: readonly string[],
  context: Context,
  unread: Unread,
): Promise<readonly Doomed[]> {
  const { client } = await context.connect()
  const readOwners = once(async () => (await (await import('../../catalog/owners.ts')).ownersOf(context)).owners)
  return inParallel(names, async (name) => {
    const read = (kind: Kind) => allRecords(client, kind, { template: name }).catch(unread)
    const [own, variations, faces, actions] = await Promise.all([
      readState(client, templateKind, name).catch(unread),
      variationsOf(client, name).catch(unread),
      read(kindOf('face')),
      read(kindOf('action')),
    ])
    const vatoms = await vatomsText(client, name, variations).catch(unread)
    return {
      ...own,
      name,
      contents: variations.length === 0 ? [] : [plural(variations.length, 'variation'), ...vatoms],
      takesVatoms: vatoms.length > 0,
      vatoms: countOf(emittedIn(variations)),
      others: await othersBelow(name, { variation: variations, face: faces, action: actions }, readOwners),
    }
  })
}

/** The vAtoms that are deleted with the variations of a template. */
const vatomsText = async (client: Client, template: string, variations: readonly Section[]) =>
  variations.length === 0 ? [] : emittedText(await emittedWithOwners(client, variations, ['template', template]))

type RecordsBelow = Readonly<Record<'variation' | 'face' | 'action', readonly Section[]>>

/** The records of a template that are of another catalog than it; undefined if there are none. */
async function othersBelow(
  name: string,
  below: RecordsBelow,
  readOwners: () => Promise<Owners>,
): Promise<string | undefined> {
  const kinds = ['variation', 'face', 'action'] as const
  if (kinds.every((kind) => below[kind].length === 0)) return undefined
  const [{ othersText }, { identityIn, ownerOf }] = await Promise.all([
    import('../../catalog/of-others.ts'),
    import('../../catalog/owners.ts'),
  ])
  const owners = await readOwners()
  const own = ownerOf(identityIn('template', { name }), owners)
  const records = kinds.flatMap((kind) => below[kind].map((record) => identityIn(kind, record)))
  return othersText(records, owners, own === undefined ? [] : [own])
}
