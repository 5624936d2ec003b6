import { limits } from '../../contract/limits.ts'
import { endless } from './every-page.ts'

/** How a list is read that changes meanwhile. */
export interface PagedReading<R> {
  readonly ask: (page: number) => Promise<readonly R[]>
  readonly keyOf: (record: R) => unknown
  /** The last record before a page, in a list of its own: where it is unknown, records before it are gone. */
  readonly askBefore?: (page: number) => Promise<readonly R[]>
}

/** A service that ignores page numbers has answered the same so many times more. */
const mostRepeated = 2

/**
 * The records of a list, page by page, each record once. The last page is the one that is shorter than the one before: a
 * service may have smaller pages than it is asked for, or ignore page numbers. Where records were added meanwhile, a page has
 * nothing new. Where some are gone, those behind them have moved to pages that were read: it goes back to them.
 */
export async function* newOnEachPage<R>({ ask, keyOf, askBefore }: PagedReading<R>): AsyncGenerator<readonly R[]> {
  const known = new Set<unknown>()
  const isNew = (record: R) => !known.has(keyOf(record))
  /** The page that was gone back to, and whether it had nothing new. */
  let back = { page: 0, isKnown: false }
  const isShifted = async (page: number): Promise<boolean> => {
    if (page === 1 || !askBefore) return false
    const [last, ...others] = await askBefore(page)
    // Where the list has become that short, what is left of it is on the page before.
    if (last === undefined) return !(back.page === page - 1 && back.isKnown)
    return others.length === 0 && isNew(last)
  }
  let before: readonly R[] = []
  let repeated = 0
  for (let asked = 0, page = 1; asked < limits.pages; asked++) {
    const found = await ask(page)
    const fresh = found.filter(isNew)
    for (const record of fresh) known.add(keyOf(record))
    if (fresh.length > 0) yield fresh
    if (known.size > limits.listed) throw endless(`${limits.listed} records`)
    if (page === back.page) back = { page, isKnown: fresh.length === 0 }
    if (await isShifted(page)) {
      page--
      back = { page, isKnown: false }
      before = []
      continue
    }
    repeated = fresh.length === 0 && isSame(found, before, keyOf) ? repeated + 1 : 0
    if (found.length === 0 || found.length < before.length || repeated === mostRepeated) return
    before = found
    page++
  }
  throw endless(`${limits.pages} pages`)
}

function isSame<R>(one: readonly R[], other: readonly R[], keyOf: (record: R) => unknown): boolean {
  const keys = other.map(keyOf)
  return one.length === keys.length && one.every((record, index) => keyOf(record) === keys[index])
}
