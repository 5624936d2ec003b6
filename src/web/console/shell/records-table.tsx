import type { ComponentChildren } from 'preact'

/** A column: its title, and what it shows of a record; amounts stand below one another. */
export type Column<T> = readonly [title: string, show: (record: T) => ComponentChildren, kind?: 'amount']

interface RecordsTableProps<T> {
  readonly label: string
  readonly records: readonly T[]
  readonly keyOf: (record: T) => string
  readonly columns: readonly Column<T>[]
}

/** Records as a table; where the window is narrow, each as a card. */
export const RecordsTable = <T,>({ label, records, keyOf, columns }: RecordsTableProps<T>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
  <section class="scrolled" aria-label={label} tabIndex={0}>
    <table class="numbers">
      <thead>
        <tr>
          {columns.map(([title, , kind]) => (
            <th key={title} scope="col" class={kind}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={keyOf(record)}>
            {columns.map(([title, show, kind]) => (
              <td key={title} class={kind} data-title={title}>
                {show(record)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
