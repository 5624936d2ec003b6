import { printableLine } from '../../contract/printable.ts'
import { type Host, isTerminal, type Sink } from '../host.ts'
import type { Output } from './output.ts'
import { sizeText, styled } from './text.ts'

/** Progress of several steps; `step` names the one that begins. */
export interface Progress {
  step(name: string): void
  stop(): void
}

/** Progress of bytes that are sent. */
export interface TransferProgress extends Progress {
  /** Adds bytes that were sent; a negative number if they must be sent again. */
  advance(bytes: number): void
}

const silent: TransferProgress = { step: () => {}, advance: () => {}, stop: () => {} }

/** A line on a terminal that changes until it is removed. */
interface Spinner {
  text: string
  stop(): void
}

/** Terminals on which a spinner is shown: there is room for one. */
const taken = new WeakSet<Sink>()

/** A spinner, if stderr is a terminal whose width is known, since the line must fit it. */
async function spinnerFor({ quiet }: Pick<Output, 'quiet'>, { stderr }: Host): Promise<Spinner | undefined> {
  if (!isTerminal(stderr) || !stderr.columns || quiet || taken.has(stderr)) return undefined
  taken.add(stderr)
  const { default: ora } = await import('ora')
  const spinner = ora({ stream: stderr, discardStdin: false, hideCursor: false, isEnabled: true }).start()
  return {
    set text(text: string) {
      spinner.text = text
    },
    stop: () => {
      taken.delete(stderr)
      spinner.stop()
    },
  }
}

/** Milliseconds after which people are shown that something is being waited for. */
const patience = 300

/** Waits for work; on a terminal with a spinner if it takes time and there is no other progress. Returns its outcome. */
export async function waitFor<T>(
  work: Promise<T>,
  place: string,
  output: Pick<Output, 'quiet'>,
  host: Host,
): Promise<T> {
  if (!isTerminal(host.stderr) || output.quiet) return work
  let spinner: Promise<Spinner | undefined> | undefined
  const timer = setTimeout(() => {
    spinner = spinnerFor(output, host).then((shown) => {
      if (shown) shown.text = printableLine(`waiting for ${place}`).slice(0, (host.stderr.columns ?? 0) - spinnerWidth)
      return shown
    })
  }, patience)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    const shown = await spinner
    shown?.stop()
  }
}

/** A spinner with a count on a terminal, if there is more than one step; silent elsewhere. */
export async function progress(output: Output, host: Host, total: number): Promise<Progress> {
  const spinner = total < 2 ? undefined : await spinnerFor(output, host)
  if (!spinner) return silent
  let done = 0
  return {
    step: (name) => {
      spinner.text = `${++done}/${total} ${printableLine(name)}`
    },
    stop: () => void spinner.stop(),
  }
}

/** Milliseconds between two updates of a bar. */
const interval = 100
/** With fewer steps there are no plain lines. */
const worthLines = 50
/** Milliseconds before the first plain line, and between two. */
const worthLine = 5_000

/**
 * Progress of many steps: a bar with counts and time left on a terminal; elsewhere a plain line on stderr for every
 * tenth of them, where that takes its time.
 */
export async function countProgress(output: Output, host: Host, what: string, total: number): Promise<Progress> {
  const started = host.monotonic()
  const spinner = total < 2 ? undefined : await spinnerFor(output, host)
  const tenth = total < worthLines ? Number.POSITIVE_INFINITY : Math.ceil(total / 10)
  let shown = spinner ? -interval : 0
  let done = 0
  const show = (name: string, elapsed: number) => {
    const isTenth = done > 0 && done % tenth === 0
    if (spinner ? elapsed - shown < interval : !isTenth || elapsed - shown < worthLine) return
    shown = elapsed
    const facts = [`${done} of ${total}`, ...timeLeft({ done, total, elapsed })]
    if (!spinner) output.note(styled`${what}: ${facts.join(', ')}`)
    else spinner.text = barLine({ name, part: done / total, facts }, output.noteColumns)
  }
  return {
    step: (name) => {
      show(name, host.monotonic() - started)
      done++
    },
    stop: () => spinner?.stop(),
  }
}

/** A bar with percentage, bytes and time left on a terminal; silent elsewhere. `total` is in bytes. */
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
    step: (next) => {
      name = next
      show(performance.now())
    },
    advance: (bytes) => {
      sent += bytes
      const now = performance.now()
      if (sent >= total || now - shown >= interval) show(now)
    },
    stop: () => void spinner.stop(),
  }
}

/** The state of a transfer: bytes, and `elapsed` in milliseconds. */
export interface Transfer {
  readonly name: string
  readonly sent: number
  readonly total: number
  readonly elapsed: number
}

/** A transfer on one line of a terminal. */
export function transferLine({ name, sent, total, elapsed }: Transfer, columns: number): string {
  const part = total === 0 ? 1 : Math.min(1, sent / total)
  const facts = [`${sizeText(sent)} of ${sizeText(total)}`, ...timeLeft({ done: sent, total, elapsed })]
  return barLine({ name, part, facts }, columns)
}

/** `12 s left`; nothing before the first step and after the last. */
function timeLeft({ done, total, elapsed }: { done: number; total: number; elapsed: number }): string[] {
  if (done === 0 || done >= total) return []
  const seconds = Math.ceil(((total - done) * elapsed) / done / 1000)
  return [seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`]
}

interface Bar {
  readonly name: string
  /** From 0 to 1. */
  readonly part: number
  /** What stands behind the percentage. */
  readonly facts: readonly string[]
}

const barWidth = 20
/** Columns of the spinner in front of the line. */
const spinnerWidth = 3

/** A bar, cut to the terminal's width. */
function barLine({ name, part, facts }: Bar, columns: number): string {
  const filled = Math.floor(part * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  const shown = [bar, `${Math.floor(part * 100)} %`, ...facts].join('  ')
  const room = columns - spinnerWidth - shown.length - 2
  const label = printableLine(name)
  const cut = label.length > room ? `${label.slice(0, Math.max(0, room - 1))}…` : label
  return room < 4 ? shown : `${cut}  ${shown}`
}
