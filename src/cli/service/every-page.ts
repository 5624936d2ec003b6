import type { VatomsPage } from '../../contract/api/vatom.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { endless, ListSize } from './list-size.ts'

/** The query for a page of a list. */
export interface Paging {
  readonly limit: string
  readonly page: string
}

/**
 * Whether no page follows one with so many records: it is shorter than the first one, which a service may make shorter than
 * it was asked for, but not shorter than a page is where nothing is asked for. Spec 8.
 */
export const isLastPage = (length: number, first: number): boolean => length < Math.max(first, limits.page)

/** How many pages are requested at a time at most. */
const atOnce = 4

/**
 * All records of a list, in its order. A service that ignores paging is recognized by repeated records. The longer the
 * list, the more pages are requested at a time.
 */
export async function everyPage<R>(
  ask: (paging: Paging) => Promise<readonly R[]>,
  keyOf: (record: R) => unknown,
): Promise<R[]> {
  const found = new Map<unknown, R>()
  const size = new ListSize()
  const askFor = async (page: number) => {
    const records = await ask({ limit: String(limits.pageMax), page: String(page) })
    size.add(records)
    return records
  }
  /** Records that a page has. */
  let length = 0
  for (let first = 1, count = 1; ; first += count, count = Math.min(first - 1, atOnce)) {
    const numbers = Array.from({ length: count }, (_, index) => first + index)
    const pages = await Promise.all(numbers.map(askFor))
    if (first === 1) length = pages.flat().length
    const before = found.size
    for (const one of pages.flat()) found.set(keyOf(one), one)
    if (pages.some((page) => isLastPage(page.length, length)) || found.size === before) return [...found.values()]
    if (found.size > limits.listed) throw endless(`${limits.listed} records`)
  }
}

/** A page by its number, and its length. */
export interface Place {
  readonly limit: number
  readonly page: number
}

/**
 * Whether a page is followed by another record. A service may have smaller pages than it is asked for; one that ignores
 * page numbers answers a record of this page.
 */
export async function isFollowed<R>(
  ask: (place: Place) => Promise<readonly R[]>,
  records: readonly R[],
  { limit, page }: Place,
  keyOf: (record: R) => unknown,
): Promise<boolean> {
  if (records.length < Math.min(limit, limits.page)) return false
  const [next] = await ask(records.length < limit ? { limit, page: page + 1 } : { limit: 1, page: page * limit + 1 })
  return next !== undefined && !records.some((record) => keyOf(record) === keyOf(next))
}

/** The number of the last page with records, before a page that has none; 0 if there are no records. */
async function lastPage(ask: (place: Place) => Promise<readonly unknown[]>, { limit, page }: Place): Promise<number> {
  let [filled, empty] = [0, page]
  while (empty - filled > 1) {
    const middle = Math.floor((filled + empty) / 2)
    if ((await ask({ limit, page: middle })).length > 0) filled = middle
    else empty = middle
  }
  return filled
}

/** Says that there are no records: at all, or on a page behind the last one. */
export async function emptyText(
  noun: string,
  ask: (place: Place) => Promise<readonly unknown[]>,
  place: Place,
): Promise<string> {
  const last = place.page > 1 ? await lastPage(ask, place) : 0
  return last === 0 ? `No ${noun}.` : `No ${noun} on page ${place.page}: the last page is ${last}.`
}

/** Pages of vAtoms as one page. */
export const merged = (pages: readonly VatomsPage[]): VatomsPage => ({
  vatoms: unique(pages.flatMap(({ vatoms }) => vatoms)),
  faces: unique(pages.flatMap(({ faces }) => faces)),
  actions: unique(pages.flatMap(({ actions }) => actions)),
})

/** Records by id or name; one that moved between pages while they were read is listed once. */
export const unique = <R extends object>(records: readonly R[]): R[] => [
  ...new Map(records.map((record) => [at(record, 'id') ?? at(record, 'name'), record])).values(),
]
