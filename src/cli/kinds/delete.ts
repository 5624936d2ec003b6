import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { ErrorName } from '../../contract/api/errors.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { type Hint, hinted } from '../failure/hinted.ts'
import { declined } from './gate.ts'
import { finishRows, type RowKind } from './results.ts'
import { runJobs } from './send.ts'

/** How records are got rid of. */
export interface Riddance {
  /** The command. */
  readonly verb: string
  /** What it is called by, after `vatom`. */
  readonly path: string
  /** What it asks, and says once it is done. */
  readonly asks: string
  readonly done: string
}

/** A noun whose records are deleted by what they go by. */
export interface DeleteNoun {
  readonly kind: RowKind
  /** The noun in the command's words: `action handler`. */
  readonly words: string
  readonly summary: string
  readonly description: string
  /** What its records go by: `name`, `id`. */
  readonly key: string
  /** What is given as it is sent. */
  readonly expand: (given: string, context: Context) => Promise<string>
  readonly remove: (client: Client, key: string) => Promise<unknown>
  /** What goes with one record, and with several: `its faces`, `their faces`. */
  readonly along?: readonly [one: string, several: string]
  /** How, unless they are deleted by a verb of the noun's. */
  readonly riddance?: Riddance
  /** What to do next where the service refuses. */
  readonly hints: (client: Client, key: string) => Partial<Record<ErrorName, Hint>>
}

interface DeleteOptions {
  readonly yes?: boolean
}

/** `delete` of a noun, or what else it is got rid of by. */
export const deleteCommandFor = (noun: DeleteNoun, context: Context, run = deleteRecords): Command =>
  new Command(riddanceOf(noun).verb)
    .summary(noun.summary)
    .description(noun.description)
    .argument(`<${noun.key}...>`, `the ${noun.words}'s ${noun.key}, or several`)
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', `\nExample:\n  vatom ${riddanceOf(noun).path} ${noun.key.toUpperCase()} --yes`)
    .action((given: string[], options: DeleteOptions) => run(noun, given, options, context))

const riddanceOf = ({ words, riddance }: DeleteNoun): Riddance =>
  riddance ?? { verb: 'delete', path: `${words} delete`, asks: 'Delete', done: 'Deleted' }

/** Asks, then deletes one after the other, and says what became of each. */
async function deleteRecords(
  noun: DeleteNoun,
  given: readonly string[],
  { yes }: DeleteOptions,
  context: Context,
): Promise<void> {
  const { kind, words } = noun
  const keys = [...new Set(await Promise.all(given.map((one) => noun.expand(one, context))))]
  await context.announce()
  if (!(await context.prompt.confirm(await question(noun, keys), '--yes', yes))) throw declined()
  const { client, place } = await context.connect()
  const jobs = keys.map((name) => ({
    subject: { file: null, kind, name, problems: [] },
    run: async () => {
      const { verb, done } = riddanceOf(noun)
      const what = `${words} ${name} on ${place}`
      await would(`${verb} ${what}`, hinted(noun.remove(client, name), noun.hints(client, name)), 'deleted')
      return { status: 'deleted' as const, message: `${done} ${what}` }
    },
  }))
  await finishRows(await runJobs(jobs, context), 'text', context.output)
}

async function question(noun: DeleteNoun, keys: readonly string[]): Promise<string> {
  const { words, along } = noun
  const { asks } = riddanceOf(noun)
  const [one = '', several = ''] = along?.map((what) => ` with ${what}`) ?? []
  if (keys.length === 1) return `${asks} ${words} ${keys[0]}${one}?`
  const { nameList } = await import('../../contract/schema/suggest.ts')
  return `${asks} ${keys.length} ${words}s${several}: ${nameList(keys)}?`
}
