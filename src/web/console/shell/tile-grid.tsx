import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { reveal, useView } from './use-view.ts'

interface TileGridProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Pixels of a tile, which becomes wider where there is room. */
  readonly tile: { readonly width: number; readonly height: number }
  /** Draws a tile as a link, which Tab reaches or not. */
  readonly draw: (item: T, tabIndex: 0 | -1) => ComponentChildren
}

/** Rows beyond the visible ones that are drawn. */
const margin = 2

/** A grid of any number of tiles, of which only the visible rows are elements. Tab goes to one of them, arrows to the others. */
export function TileGrid<T>({ label, items, keyOf, tile, draw }: TileGridProps<T>) {
  const { box, look, top, width, height } = useView()
  const list = useRef<HTMLUListElement>(null)
  /** The place of the tile that was the last one with the focus. */
  const current = useSignal(0)
  const isMoving = useRef(false)
  const columns = Math.max(1, Math.floor(width / tile.width))
  const rows = Math.ceil(items.length / columns)
  const firstRow = Math.max(0, Math.floor(top / tile.height) - margin)
  const last = Math.min(rows, Math.ceil((top + height) / tile.height) + margin)
  const first = firstRow * columns
  const shown = items.slice(first, last * columns)
  const isShown = current.value >= first && current.value < first + shown.length
  const reached = isShown ? current.value : Math.min(Math.ceil(top / tile.height) * columns, items.length - 1)
  const linkAt = (place: number) => list.current?.children[place - first]?.querySelector<HTMLElement>('a')
  useEffect(() => {
    if (isMoving.current) linkAt(current.value)?.focus({ preventScroll: true })
    isMoving.current = false
  })
  const pressed = (event: KeyboardEvent) => {
    const to = placeAfter(event.key, reached, columns, Math.max(1, Math.floor(height / tile.height) - 1))
    if (to === undefined) return
    event.preventDefault()
    isMoving.current = true
    current.value = Math.min(Math.max(to, 0), items.length - 1)
    reveal(box.current, Math.floor(current.value / columns) * tile.height, tile.height)
    look()
  }
  return (
    <div class="tiles" ref={box} onScroll={look}>
      <div class="rows" style={{ height: `${rows * tile.height}px` }}>
        <ul
          aria-label={label}
          ref={list}
          style={{
            transform: `translateY(${firstRow * tile.height}px)`,
            gridTemplateColumns: `repeat(${columns}, 1fr)`,
          }}
          onKeyDown={pressed}
        >
          {shown.map((item, offset) => (
            <li
              key={keyOf(item)}
              aria-setsize={items.length}
              aria-posinset={first + offset + 1}
              style={{ height: `${tile.height}px` }}
              onFocusIn={() => {
                current.value = first + offset
              }}
            >
              {draw(item, first + offset === reached ? 0 : -1)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The place that a key leads to from another; undefined for other keys. */
const placeAfter = (key: string, from: number, columns: number, page: number): number | undefined =>
  ({
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from - columns,
    ArrowDown: from + columns,
    PageUp: from - page * columns,
    PageDown: from + page * columns,
    Home: 0,
    End: Number.POSITIVE_INFINITY,
  })[key]
