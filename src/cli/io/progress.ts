import { printableLine } from '../../documents/report/printable.ts'
import { type Host, isTerminal } from '../host.ts'
import type { Output } from './output.ts'

export interface Progress {
  step(what: string): void
  stop(): void
}

/** A line on a terminal that changes until it is taken away. */
interface Spinner {
  text: string
  stop(): void
}

const silent: Progress = { step: () => {}, stop: () => {} }

/** A spinner where it can be seen: on a terminal, and one whose width is known, since the line must fit it. */
export async function spinnerFor({ quiet }: Output, { stderr }: Host): Promise<Spinner | undefined> {
  if (!isTerminal(stderr) || !stderr.columns || quiet) return undefined
  const { default: ora } = await import('ora')
  return ora({ stream: stderr, discardStdin: false, hideCursor: false, isEnabled: true }).start()
}

/** A spinner with a count on a terminal, where there is more than one thing to wait for; silence elsewhere. */
export async function progress(output: Output, host: Host, total: number): Promise<Progress> {
  const spinner = total < 2 ? undefined : await spinnerFor(output, host)
  if (!spinner) return silent
  let done = 0
  return {
    step: (what) => {
      spinner.text = `${++done}/${total} ${printableLine(what)}`
    },
    stop: () => {
      spinner.stop()
    },
  }
}
