import type { Client } from '../../client/client.ts'
import { unlessRefused } from '../../client/errors.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import type { Loaded, LoadedDocument } from '../../documents/load/loaded.ts'
import type { Service } from '../../server/service.ts'
import type { Context } from '../context.ts'
import { type ChainChange, creationChange } from '../kinds/chain-changes.ts'
import { confirmWrites } from '../kinds/confirmations.ts'
import { readRecord } from '../kinds/requests.ts'
import { clientOf } from '../service/connect.ts'

/** Asks before the documents that do not exist yet are created, if that costs units. Spec 2.3. */
export async function confirmSeedCharges(
  { documents }: Loaded,
  service: Service,
  accepted: boolean | undefined,
  context: Context,
): Promise<void> {
  const { client } = clientOf(service)
  const changes: ChainChange[] = []
  for (const document of documents) changes.push(...(await chainChanges(document, documents, client)))
  await confirmWrites(changes, accepted, context)
}

/** What creating a document changes on a chain; nothing for one that exists. */
async function chainChanges(
  document: LoadedDocument,
  among: readonly LoadedDocument[],
  client: Client,
): Promise<ChainChange[]> {
  const { eth, template } = document.value
  if (!isObject(eth) || (await stored(document, client))) return []
  const parent = among.find(({ kind, name }) => kind === 'template' && name === template)
  const record = parent && (await stored(parent, client))
  return creationChange(kindOf(document.kind), eth, record ? at(record, 'properties', 'eth') : parent?.value.eth)
}

/** The record that a document describes; undefined where there is none, or one that its publisher cannot read. */
const stored = ({ kind, name }: LoadedDocument, client: Client) =>
  readRecord(client, kindOf(kind), name).catch(unlessRefused)
