import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { reveal, useView } from './use-view.ts'

interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Pixels of a row. */
  readonly rowHeight: number
  /** The key of the chosen item. */
  readonly chosen: Signal<string | undefined>
  readonly row: (item: T) => ComponentChildren
}

/** Rows beyond the visible ones that are drawn. */
const margin = 8

/** A list of any length, of which only the visible rows are elements; keys choose an item. */
export function VirtualList<T>({ label, items, keyOf, rowHeight, chosen, row }: VirtualListProps<T>) {
  const { box, look, top, height } = useView()
  const first = Math.max(0, Math.floor(top / rowHeight) - margin)
  const shown = items.slice(first, Math.ceil((top + height) / rowHeight) + margin)
  const index = items.findIndex((item) => keyOf(item) === chosen.value)
  const choose = (to: number) => {
    const item = items[Math.min(Math.max(to, 0), items.length - 1)]
    if (item === undefined) return
    chosen.value = keyOf(item)
    reveal(box.current, items.indexOf(item) * rowHeight, rowHeight)
  }
  const pressed = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const to = { ArrowDown: index + 1, ArrowUp: Math.max(index, 1) - 1, Home: 0, End: items.length - 1 }[event.key]
    const leap = { PageDown: index + page, PageUp: index - page }[event.key]
    if (to === undefined && leap === undefined) return
    event.preventDefault()
    choose(to ?? leap ?? 0)
  }
  const idOf = (item: T) => `row-${keyOf(item)}`
  return (
    <div
      class="list"
      role="listbox"
      aria-label={label}
      aria-activedescendant={shown.some((item) => keyOf(item) === chosen.value) ? `row-${chosen.value}` : undefined}
      tabIndex={0}
      ref={box}
      onScroll={look}
      onKeyDown={pressed}
    >
      <div class="rows" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        {shown.map((item, offset) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus, and keys choose there
          <div
            key={keyOf(item)}
            id={idOf(item)}
            role="option"
            aria-selected={keyOf(item) === chosen.value}
            aria-posinset={first + offset + 1}
            aria-setsize={items.length}
            tabIndex={-1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + offset) * rowHeight}px)` }}
            onClick={() => {
              chosen.value = keyOf(item)
            }}
          >
            {row(item)}
          </div>
        ))}
      </div>
    </div>
  )
}
