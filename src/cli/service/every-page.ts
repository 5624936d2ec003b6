import { at } from '../../contract/path.ts'
import { limits } from '../../contract/values.ts'

/** Asks for a page of a list. */
interface Paging {
  readonly limit: string
  readonly page: string
}

/** All records of a list; a service that ignores paging is noticed by records that come again. */
export async function everyPage<R>(
  ask: (paging: Paging) => Promise<readonly R[]>,
  keyOf: (record: R) => unknown,
): Promise<R[]> {
  const found = new Map<unknown, R>()
  for (let page = 1; ; page++) {
    const listed = await ask({ limit: String(limits.pageMax), page: String(page) })
    const before = found.size
    for (const one of listed) found.set(keyOf(one), one)
    if (listed.length < limits.pageMax || found.size === before) return [...found.values()]
  }
}

/** Records by id or name; one that moved between pages while they were read is kept once. */
export const unique = <R extends object>(records: readonly R[]): R[] => [
  ...new Map(records.map((record) => [at(record, 'id') ?? at(record, 'name'), record])).values(),
]
