import { randomUUID } from 'node:crypto'
import { face } from '../../contract/kinds/face.ts'
import { plural } from '../../contract/schema/wording.ts'
import type { KindName } from '../../contract/values.ts'
import { writeAs } from '../domain/caller.ts'
import { queriedPage } from '../domain/paging.ts'
import type { Handler } from './handler.ts'

/** A page of the labels of the publisher's records, by kind and key. */
export const listLabels: Handler<'listLabels'> = ({ store, publisher }, { query }) =>
  store.catalogLabels.page({ publisher, ...queriedPage(query) }).map(({ kind, key, catalog, revision }) => {
    const template = kind === face.name ? store.catalogLabels.templateOf(key) : undefined
    return { kind: kind as KindName, key, catalog, revision, ...(template !== undefined && { template }) }
  })

/** Labels the publisher's own records with a catalog, or removes their labels. */
export const labelRecords: Handler<'labelRecords'> = async (scope, { body: { catalog, records } }) => {
  const changed = await writeAs(scope, ({ store, publisher }) => {
    // Not of the clock, which a test may set, nor of a sequence, which begins again with the data.
    const revision = randomUUID()
    const own = records.filter(({ kind, key }) => store.catalogLabels.publisherOf(kind, key) === publisher)
    // A request that is repeated changes nothing: saved plans remember the revision.
    const changing = own.filter((record) => store.catalogLabels.catalogOf(record) !== (catalog ?? undefined))
    for (const record of changing)
      if (catalog === null) store.catalogLabels.remove(record)
      else store.catalogLabels.replace({ ...record, publisher_fqdn: publisher, catalog, revision })
    return own.length
  })
  return { success_message: `${plural(changed, 'record')} labelled.` }
}
