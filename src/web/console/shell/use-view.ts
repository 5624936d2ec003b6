import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** The visible part of a box that scrolls, in pixels. */
interface View {
  readonly box: RefObject<HTMLDivElement | null>
  readonly top: number
  readonly width: number
  readonly height: number
  /** Looks again, after the box was scrolled. */
  readonly look: () => void
}

/** Scrolls a box until a row is in view. */
export function reveal(box: HTMLElement | null, top: number, height: number): void {
  if (!box) return
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight
}

/** The visible part of a box, as it is scrolled and changes its size. */
export function useView(): View {
  const box = useRef<HTMLDivElement>(null)
  const view = useSignal({ top: 0, width: 0, height: 600 })
  const look = () => {
    if (!box.current) return
    const { scrollTop, clientWidth, clientHeight } = box.current
    view.value = { top: scrollTop, width: clientWidth, height: clientHeight }
  }
  useLayoutEffect(() => {
    look()
    const observer = new ResizeObserver(look)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return { box, look, ...view.value }
}
