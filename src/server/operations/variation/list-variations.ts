import { queriedPage } from '../../domain/paging.ts'
import { sparseList } from '../../domain/sparse-list.ts'
import { variationRecord } from '../../domain/variation.ts'
import type { Handler } from '../handlers.ts'

/** A page of the publisher's variations and others' public ones, of one template or of all, in the order of their names. */
export const listVariations: Handler<'listVariations'> = ({ store, publisher }, { query }) => {
  const rows = store.variations.page({ publisher, template: query?.template, ...queriedPage(query) })
  return sparseList(rows.map(variationRecord), query?.fields)
}
