import type { ComponentChildren } from 'preact'
import { useView } from './use-view.ts'

interface TileGridProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Pixels of a tile, which becomes wider where there is room. */
  readonly tile: { readonly width: number; readonly height: number }
  readonly draw: (item: T) => ComponentChildren
}

/** Rows beyond the visible ones that are drawn. */
const margin = 2

/** A grid of any number of tiles, of which only the visible rows are elements. */
export function TileGrid<T>({ label, items, keyOf, tile, draw }: TileGridProps<T>) {
  const { box, look, top, width, height } = useView()
  const columns = Math.max(1, Math.floor(width / tile.width))
  const rows = Math.ceil(items.length / columns)
  const first = Math.max(0, Math.floor(top / tile.height) - margin)
  const last = Math.min(rows, Math.ceil((top + height) / tile.height) + margin)
  const shown = items.slice(first * columns, last * columns)
  return (
    <div class="tiles" ref={box} onScroll={look}>
      <div class="rows" style={{ height: `${rows * tile.height}px` }}>
        <ul
          aria-label={label}
          style={{ transform: `translateY(${first * tile.height}px)`, gridTemplateColumns: `repeat(${columns}, 1fr)` }}
        >
          {shown.map((item, offset) => (
            <li
              key={keyOf(item)}
              aria-setsize={items.length}
              aria-posinset={first * columns + offset + 1}
              style={{ height: `${tile.height}px` }}
            >
              {draw(item)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
