import { sparseList } from '../../domain/listing.ts'
import { variationRecord } from '../../domain/variation.ts'
import { queriedPage } from '../../request/paging.ts'
import type { Handler } from '../handlers.ts'

/** A page of the publisher's variations and others' public ones, of one template or of all, in the order of their names. */
export const listVariations: Handler<'listVariations'> = ({ store, publisher }, { query }) => {
  const rows = store.variations.page({ publisher, template: query?.template, ...queriedPage(query) })
  return sparseList(rows.map(variationRecord), query?.fields)
}
