import { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Output } from '../../io/output.ts'
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
  topic('environment', environment, context),
  topic('exit-codes', exitCodes, context),
  topic('formatting', formatting, context),
]

/** A word that prints a page, or its data. */
const topic = (name: string, { data, lines }: Page, { output }: Context): Command =>
  new Command(name).action(() => output.listing(data, () => lines(output)))
