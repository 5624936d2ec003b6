import type { Host } from '../host.ts'
import { barLine, timeLeft } from './bar.ts'
import type { Output } from './output.ts'
import { type Progress, spinnerFor } from './progress.ts'
import { styled } from './text.ts'

/** Milliseconds between two looks. */
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
