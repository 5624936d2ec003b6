import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Problem, sentenceOf } from './problem.tsx'
import type { Column } from './records-table.tsx'
import { useView } from './use-view.ts'

interface PagedTableProps<T> {
  readonly label: string
  /** The class that arranges the cells of a row. */
  readonly layout: string
  /** How many records there are in all. */
  readonly total: number
  /** Loads a page of records, from 1. */
  readonly load: (page: number) => Promise<readonly T[]>
  /** Whether the last record comes first. */
  readonly isReversed?: true
  readonly columns: readonly Column<T>[]
  /** Pixels of a row. */
  readonly rowHeight: number
}

/** Records of a page. */
export const pageSize = 100
/** Rows beyond the visible ones that are drawn. */
const margin = 8
/** Milliseconds for which rows are in view before they are loaded: what somebody scrolls past is not. */
const pause = 60

/** A table of any number of records, of which only the visible rows are elements, and only the pages that were in view are loaded. */
export function PagedTable<T>({ label, layout, total, load, isReversed, columns, rowHeight }: PagedTableProps<T>) {
  const { box, look, top, height } = useView()
  const { pages, problem, want } = usePages(load)
  const placeOf = (row: number) => (isReversed ? total - 1 - row : row)
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight) - margin), total)
  const end = Math.min(total, Math.ceil((top + height) / rowHeight) + margin)
  const wanted = [...new Set([first, end - 1].map((row) => Math.floor(placeOf(row) / pageSize)))].join()
  useEffect(() => {
    const timer = setTimeout(() => want(wanted.split(',').map(Number)), pages.value.size === 0 ? 0 : pause)
    return () => clearTimeout(timer)
  }, [wanted])
  const recordAt = (row: number): T | undefined => {
    const place = placeOf(row)
    return pages.value.get(Math.floor(place / pageSize))?.[place % pageSize]
  }
  return (
    <>
      {problem.value !== undefined && <Problem>{problem.value}</Problem>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys */}
      <section class={`paged ${layout}`} aria-label={label} tabIndex={0} ref={box} onScroll={look}>
        <table aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(([title]) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody style={{ height: `${total * rowHeight}px` }}>
            {Array.from({ length: Math.max(end - first, 0) }, (_, offset) => {
              const row = first + offset
              const record = recordAt(row)
              return (
                <tr
                  key={row}
                  aria-rowindex={row + 2}
                  style={{ height: `${rowHeight}px`, transform: `translateY(${row * rowHeight}px)` }}
                >
                  {record === undefined ? (
                    <td class="muted">Loading</td>
                  ) : (
                    columns.map(([title, show]) => <td key={title}>{show(record)}</td>)
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Pages that are loaded once each; those that failed are loaded again when they are wanted again. */
function usePages<T>(load: (page: number) => Promise<readonly T[]>) {
  const pages = useSignal<ReadonlyMap<number, readonly T[]>>(new Map())
  const problem = useSignal<string | undefined>(undefined)
  const asked = useRef(new Set<number>())
  const want = (numbers: readonly number[]) => {
    for (const number of numbers) {
      if (asked.current.has(number)) continue
      asked.current.add(number)
      load(number + 1).then(
        (records) => {
          pages.value = new Map(pages.value).set(number, records)
          problem.value = undefined
        },
        (error: unknown) => {
          asked.current.delete(number)
          problem.value = sentenceOf(error)
        },
      )
    }
  }
  return { pages, problem, want }
}
