import { printableLine } from '../../documents/printable.ts'
import type { Host } from '../host.ts'
import type { Output } from './output.ts'

export interface Progress {
  step(what: string): void
  stop(): void
}

const silent: Progress = { step: () => {}, stop: () => {} }

/** A spinner with a count on a terminal, where there is more than one thing to wait for; silence elsewhere. */
export async function progress(output: Output, { stderr }: Host, total: number): Promise<Progress> {
  if (total < 2 || stderr.isTTY !== true || output.quiet) return silent
  const { default: ora } = await import('ora')
  const spinner = ora({ stream: stderr, discardStdin: false, hideCursor: false }).start()
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
