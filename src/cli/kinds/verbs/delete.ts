import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { ErrorName } from '../../../contract/api/errors.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { type Hint, hinted, seeList } from '../../failure/hinted.ts'
import { fullName } from '../../service/publisher.ts'
import { declined } from '../confirmations.ts'
import { missingRecord } from '../missing.ts'
import { removeRecord } from '../requests.ts'
import { finishRows, type RowKind } from '../results.ts'
import { runJobs } from '../send.ts'
import { listOf } from './list.ts'

/** The words of a command that removes records. */
interface RemovalWords {
  /** The command. */
  readonly verb: string
  /** How it is called, after `vatom`. */
  readonly path: string
  /** The first word of its question, and of what it reports once it is done. */
  readonly asks: string
  readonly done: string
}

/** Something whose records are deleted by name or id. */
export interface Deletable {
  readonly kind: RowKind
  /** As people read it: `action handler`. */
  readonly words: string
  readonly summary: string
  readonly description: string
  /** What a record is called by: `name`, `id`. */
  readonly key: string
  /** What is sent for what is given; the same where nothing is said. */
  readonly expand?: (given: string, context: Context) => Promise<string>
  readonly remove: (client: Client, key: string) => Promise<unknown>
  /** What goes with one record, and with several: `its faces`, `their faces`. */
  readonly along?: readonly [one: string, several: string]
  /** Other words than those of `delete`. */
  readonly removal?: RemovalWords
  /** What to do next where the service refuses. */
  readonly hints: (client: Client, key: string) => Partial<Record<ErrorName, Hint>>
}

interface DeleteOptions {
  readonly yes?: boolean
}

/** `delete`, or another command that removes records. */
export const deleteCommandFor = (noun: Deletable, context: Context): Command =>
  new Command(removalOf(noun).verb)
    .summary(noun.summary)
    .description(noun.description)
    .argument(`<${noun.key}...>`, `the ${noun.words}'s ${noun.key}, or several`)
    .option('--yes', 'do not ask')
    .addOption(dryRunOption())
    .addHelpText('after', `\nExample:\n  vatom ${removalOf(noun).path} ${noun.key.toUpperCase()} --yes`)
    .action((given: string[], options: DeleteOptions) => deleteRecords(noun, given, options, context))

const removalOf = ({ words, removal }: Deletable): RemovalWords =>
  removal ?? { verb: 'delete', path: `${words} delete`, asks: 'Delete', done: 'Deleted' }

/** Asks, then deletes one after the other, and says what became of each. */
async function deleteRecords(
  noun: Deletable,
  given: readonly string[],
  { yes }: DeleteOptions,
  context: Context,
): Promise<void> {
  const { kind, words } = noun
  const keys = [...new Set(await Promise.all(given.map((one) => noun.expand?.(one, context) ?? one)))]
  await context.announce()
  if (!(await context.prompt.confirm(await question(noun, keys), '--yes', yes))) throw declined()
  const { client, place } = await context.connect()
  const jobs = keys.map((name) => ({
    subject: { file: null, kind, name, problems: [] },
    run: async () => {
      const { verb, done } = removalOf(noun)
      const what = `${words} ${name} on ${place}`
      await would(`${verb} ${what}`, hinted(noun.remove(client, name), noun.hints(client, name)), 'deleted')
      return { status: 'deleted' as const, message: `${done} ${what}` }
    },
  }))
  await finishRows(await runJobs(jobs, context), 'text', context.output)
}

async function question(noun: Deletable, keys: readonly string[]): Promise<string> {
  const { words, along } = noun
  const { asks } = removalOf(noun)
  const [one = '', several = ''] = along?.map((what) => ` with ${what}`) ?? []
  if (keys.length === 1) return `${asks} ${words} ${keys[0]}${one}?`
  const { nameList } = await import('../../../contract/schema/suggest.ts')
  return `${asks} ${keys.length} ${words}s${several}: ${nameList(keys)}?`
}

/** What the command line says of deleting the records of a kind. */
export interface DeleteWords {
  /** What is deleted, what stays. */
  readonly description: string
  /** What goes with one record, and with several: `its faces`, `their faces`. */
  readonly along?: readonly [one: string, several: string]
  /** What to do where a record is in use. */
  readonly inUse?: (name: string) => string
}

/** `delete` of a kind. */
export const deleteKindCommand = (kind: Kind, { description, along, inUse }: DeleteWords, context: Context): Command =>
  deleteCommandFor(
    {
      kind: kind.name,
      words: kind.name,
      summary: `delete ${kind.hasDrafts ? 'draft ' : ''}${kind.name}s`,
      description,
      key: kind.key,
      ...(kind.key === 'name' && { expand: fullName }),
      remove: (client, key) => removeRecord(client, kind, key),
      ...(along && { along }),
      hints: (client, key) => ({
        notFound: kind.key === 'name' ? missingRecord(client, kind, key) : seeList(listOf(kind)),
        ...(inUse && { inUse: inUse(key) }),
      }),
    },
    context,
  )
