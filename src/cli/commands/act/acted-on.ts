import type { Client } from '../../../client/client.ts'
import { unlessRefused } from '../../../client/errors.ts'
import { type OfferedAction, offeredActions, unreadAction } from '../../../contract/rules/offered-actions.ts'
import type { Context } from '../../context.ts'
import { vatomId } from '../../vatoms/vatom-id.ts'
import type { Vatom } from '../../vatoms/vatom-table.ts'

/** What is known of an action on a vAtom before it is performed. */
export interface ActedOn {
  /** The vAtom's, as a whole. */
  readonly id: string
  /** Undefined where the caller does not see it: a merchant may redeem it all the same. */
  readonly vatom: Vatom | undefined
  readonly action: OfferedAction
}

/** Reads a vAtom and an action of it, in one request at the first call; later calls return the same. */
export function reading(action: string, vatom: string, context: Context): () => Promise<ActedOn> {
  let read: Promise<ActedOn> | undefined
  return () => {
    read ??= context.connect().then(async ({ client }) => actedOn(action, await vatomId(vatom, client), client))
    return read
  }
}

async function actedOn(action: string, id: string, client: Client): Promise<ActedOn> {
  const page = await client.getVatoms({ body: { ids: [id] } }).catch(unlessRefused)
  const offered = offeredActions(page?.actions ?? [])
  return {
    id,
    vatom: page?.vatoms[0],
    action: offered.find(({ name }) => name === action) ?? unreadAction(action),
  }
}
