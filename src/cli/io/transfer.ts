import type { Host } from '../host.ts'
import { barLine, timeLeft } from './bar.ts'
import type { Output } from './output.ts'
import { type Progress, spinnerFor } from './progress.ts'
import { sizeText } from './size.ts'

/** Progress of bytes that are sent. */
export interface TransferProgress extends Progress {
  /** So many bytes more are on their way; fewer than none where they must be sent again. */
  advance(bytes: number): void
}

const silent: TransferProgress = { step: () => {}, advance: () => {}, stop: () => {} }

/** Milliseconds between two looks. */
const interval = 100

/** A bar with percentage, bytes and time left on a terminal; silence elsewhere. `total` is in bytes. */
export async function transferProgress(output: Output, host: Host, total: number): Promise<TransferProgress> {
  const spinner = await spinnerFor(output, host)
  if (!spinner) return silent
  const started = performance.now()
  let shown = started - interval
  let name = ''
  let sent = 0
  const show = (now: number) => {
    shown = now
    spinner.text = transferLine({ name, sent, total, elapsed: now - started }, output.noteColumns)
  }
  return {
    step: (what) => {
      name = what
      show(performance.now())
    },
    advance: (bytes) => {
      sent += bytes
      const now = performance.now()
      if (sent >= total || now - shown >= interval) show(now)
    },
    stop: () => {
      spinner.stop()
    },
  }
}

/** How far a transfer is; `elapsed` in milliseconds. */
export interface Transfer {
  readonly name: string
  readonly sent: number
  readonly total: number
  readonly elapsed: number
}

/** The line that shows a transfer, on one line of a terminal. */
export function transferLine({ name, sent, total, elapsed }: Transfer, columns: number): string {
  const part = total === 0 ? 1 : Math.min(1, sent / total)
  const facts = [`${sizeText(sent)} of ${sizeText(total)}`, ...timeLeft({ done: sent, total, elapsed })]
  return barLine({ name, part, facts }, columns)
}
