import { printableLine } from '../../documents/report/printable.ts'

/** How far something is, for one line of a terminal. */
export interface Bar {
  readonly name: string
  /** From 0 to 1. */
  readonly part: number
  /** What stands behind the percentage. */
  readonly facts: readonly string[]
}

const barWidth = 20
/** Columns of the spinner in front of the line. */
const spinnerWidth = 3

/** The line that shows a bar, cut to the terminal's width. */
export function barLine({ name, part, facts }: Bar, columns: number): string {
  const filled = Math.floor(part * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  const told = [bar, `${Math.floor(part * 100)} %`, ...facts].join('  ')
  const room = columns - spinnerWidth - told.length - 2
  const label = printableLine(name)
  const cut = label.length > room ? `${label.slice(0, Math.max(0, room - 1))}…` : label
  return room < 4 ? told : `${cut}  ${told}`
}

/** `12 s left`; nothing before the first step and after the last. */
export function timeLeft({ done, total, elapsed }: { done: number; total: number; elapsed: number }): string[] {
  if (done === 0 || done >= total) return []
  const seconds = Math.ceil(((total - done) * elapsed) / done / 1000)
  return [seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`]
}
