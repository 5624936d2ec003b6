import { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Output } from '../../output/output.ts'
import type { Line } from '../../output/text.ts'
import { environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { formatting } from './formatting.ts'

/** A page of help about no single command. */
export interface Page {
  /** What it says, as data. */
  readonly data: unknown
  readonly lines: (output: Pick<Output, 'columns'>) => readonly string[]
}

/** Pages of help: `vatom help environment` and the others. */
export const commands = (context: Context): Command[] => [
  new Topic('environment', environment, context),
  new Topic('exit-codes', exitCodes, context),
  new Topic('formatting', formatting, context),
]

/** A word whose help is a page; called by itself it prints the page, or its data. */
class Topic extends Command {
  readonly #text: () => readonly Line[]

  constructor(name: string, { data, lines }: Page, { output }: Context) {
    super(name)
    this.#text = () => lines(output)
    this.action(() => output.result(data, this.#text))
  }

  override helpInformation(): string {
    return `${this.#text().join('\n')}\n`
  }
}
