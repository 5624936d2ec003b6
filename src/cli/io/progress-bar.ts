import { printableLine } from '../../documents/report/printable.ts'
import type { Host } from '../host.ts'
import type { Output } from './output.ts'
import { type Progress, spinnerFor } from './progress.ts'
import { sizeText } from './size.ts'
import { styled } from './text.ts'

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
  const shown = [bar, `${Math.floor(part * 100)} %`, ...facts].join('  ')
  const room = columns - spinnerWidth - shown.length - 2
  const label = printableLine(name)
  const cut = label.length > room ? `${label.slice(0, Math.max(0, room - 1))}…` : label
  return room < 4 ? shown : `${cut}  ${shown}`
}

/** `12 s left`; nothing before the first step and after the last. */
export function timeLeft({ done, total, elapsed }: { done: number; total: number; elapsed: number }): string[] {
  if (done === 0 || done >= total) return []
  const seconds = Math.ceil(((total - done) * elapsed) / done / 1000)
  return [seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`]
}

/** Milliseconds between two updates. */
const interval = 100
/** Below this many steps, plain lines say nothing. */
const worthLines = 50

/**
 * Progress of many steps: a bar with counts and time left on a terminal; elsewhere a plain line on stderr for every
 * tenth of them.
 */
export async function countProgress(output: Output, host: Host, what: string, total: number): Promise<Progress> {
  const started = performance.now()
  const spinner = total < 2 ? undefined : await spinnerFor(output, host)
  const show = spinner
    ? barOn(spinner, total, output.noteColumns)
    : (counted: Counted) => plainLine(what, total, counted, output)
  let done = 0
  return {
    step: (name) => show({ name, done: done++, elapsed: performance.now() - started }),
    stop: () => spinner?.stop(),
  }
}

interface Counted {
  readonly name: string
  readonly done: number
  readonly elapsed: number
}

function barOn(spinner: { text: string }, total: number, columns: number) {
  let shown = -interval
  return ({ name, done, elapsed }: Counted) => {
    if (elapsed - shown < interval) return
    shown = elapsed
    const facts = [`${done} of ${total}`, ...timeLeft({ done, total, elapsed })]
    spinner.text = barLine({ name, part: done / total, facts }, columns)
  }
}

function plainLine(what: string, total: number, { done, elapsed }: Counted, output: Output): void {
  const tenth = Math.ceil(total / 10)
  if (total < worthLines || done === 0 || done % tenth !== 0) return
  output.note(styled`${what}: ${[`${done} of ${total}`, ...timeLeft({ done, total, elapsed })].join(', ')}`)
}

/** Progress of bytes that are sent. */
export interface TransferProgress extends Progress {
  /** So many bytes more are on their way; fewer than none where they must be sent again. */
  advance(bytes: number): void
}

const silent: TransferProgress = { step: () => {}, advance: () => {}, stop: () => {} }

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
