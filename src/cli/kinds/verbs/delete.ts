import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import { isUnpredicted, ServiceError } from '../../../client/errors.ts'
import type { SendingAgain } from '../../../client/transport.ts'
import type { ErrorName } from '../../../contract/api/errors.ts'
import type { Warning } from '../../../contract/api/warnings.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { type Hint, hinted, seeList } from '../../failure/hinted.ts'
import { quoted } from '../../io/text.ts'
import { printWarnings } from '../../io/warnings.ts'
import type { Make } from '../../noun.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { fullName } from '../../service/publisher.ts'
import { askAgain, checkUnchanged, confirmed, typedFinal, typesDeletion, type YesOption } from '../confirmations.ts'
import { withAll } from '../draft-contents.ts'
import { missingRecord } from '../missing.ts'
import { noRecord, stateOf } from '../record-state.ts'
import { ifFound, readRecord, removeRecord } from '../requests.ts'
import { finishRows, type RowKind } from '../results.ts'
import { runJobs } from '../send.ts'
import { changedWhileWaiting, orDone, type Standing, whileAsBefore } from '../sending-again.ts'
import { givenName, nameHelp, typedName } from '../short-name.ts'
import { listOf } from './list.ts'

/** The words of the question, and of the report once it is done. */
const verbs = { delete: ['Delete', 'Deleted'], trash: ['Trash', 'Trashed'] } as const

/** Something whose records are deleted by name or id. */
interface Deletable {
  readonly kind: RowKind
  /** As people read it: `action handler`. */
  readonly words: string
  /** Another verb than `delete`; it is then a first word of the command line. */
  readonly verb?: keyof typeof verbs
  readonly summary: string
  /** What is deleted, and what is not. */
  readonly description: string
  /** What a record is called by: `name`, which is expanded, or `id`. */
  readonly key: string
  /** What the help says about it, if more than that. */
  readonly keyHelp?: string
  /** The name that is meant by one that is given; by default only `$publisher` is replaced. */
  readonly nameOf?: (given: string, context: Context) => Promise<string>
  /** The records that are meant, with what is in them; by default those with the given keys. */
  readonly recordsOf?: (given: readonly string[], context: Context, unread: Unread) => Promise<readonly Doomed[]>
  /** Deletes a record; with a number, only if no more vAtoms are deleted with it. */
  readonly remove: (client: Client, key: string, vatoms?: number, again?: SendingAgain) => Promise<unknown>
  /** Reads a record, to find out whether it exists. */
  readonly read?: (client: Client, key: string) => Promise<unknown>
  /** What is deleted with one record, and with several: `its faces`, `their faces`. */
  readonly along?: readonly [one: string, several: string]
  /** Titles of records, by name or id, for the question to a person. */
  readonly titlesOf?: (client: Client, names: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Whether that cannot be undone by creating the record again. */
  readonly isFinal?: true
  /** What to do next where the service refuses. */
  readonly hints: (client: Client, key: string) => Partial<Record<ErrorName, Hint>>
}

/** `delete`, or another command that removes records. */
export const deleteCommandFor =
  (noun: Deletable): Make =>
  (context) =>
    new Command(noun.verb ?? 'delete')
      .summary(noun.summary)
      .description(noun.description)
      .argument(`<${noun.key}...>`, `${noun.keyHelp ?? `the ${noun.words}'s ${noun.key}`}; or several`)
      .option('--yes', 'do not ask')
      .addOption(dryRunOption())
      .addHelpText(
        'after',
        `\nExample:\n  vatom ${noun.verb ?? `${noun.words} delete`} ${noun.key.toUpperCase()} --yes`,
      )
      .action((given: string[], options: YesOption) => deleteRecords(noun, given, options, context))

/** Asks, then deletes one record after the other, and reports each. */
async function deleteRecords(
  noun: Deletable,
  given: readonly string[],
  { yes }: YesOption,
  context: Context,
): Promise<void> {
  const { kind, verb = 'delete' } = noun
  const names = [...new Set(noun.key === 'name' ? await namesOf(noun, given, context) : given)]
  await context.announce()
  const { recordsOf = withoutContents } = noun
  const read = () => recordsOf(names, context, refusedLater)
  const records = await read()
  const isMany = typesDeletion(records.length, false)
  // Of many, nobody waits for that to be told that --yes is missing.
  const asksFirst = !yes && !context.dryRun && (context.prompt.canAsk() || !isMany)
  const refusals = asksFirst ? await refusalsOf(noun, records, context) : new Map<string, unknown>()
  const deletable = records.filter(({ name }) => !refusals.has(name))
  if (deletable.length > 0) {
    await askAbout(noun, deletable, yes, context)
    if (!yes && !context.dryRun) checkUnchanged('what goes with it', records, await read())
  }
  const { client, place, dryRun } = await context.connect()
  // Only a service that offers dry runs is known to take the number that the question had.
  const isCounted = asksFirst && (await dryRun(() => {})) !== undefined
  const jobs = records.map((record) => ({
    subject: { file: null, kind, name: shownName(record), problems: [] },
    run: async () => {
      const { name, vatoms } = record
      const what = `${whole(noun, record)} on ${place}`
      const again = whileAsBefore(() => standingOf(noun, record, context))
      const removal = () =>
        refusals.has(name)
          ? Promise.reject(refusals.get(name))
          : orDone(noun.remove(client, name, isCounted ? vatoms : undefined, again), async () => {})
      const warned: Warning[] = []
      const work = () => would(`${verb} ${what}`, hinted(removal(), noun.hints(client, name)), 'deleted')
      await context.warnings
        .collect(warned, work)
        .finally(() => context.warnings.receive(warned.filter(besides(record, deletable))))
      return { status: 'deleted' as const, message: `${verbs[verb][1]} ${what}` }
    },
  }))
  await finishRows(await runJobs(jobs, context), { format: 'text' }, context.output)
}

/** What has become of a record since it was read. Throws what the service refuses to read, where that may be the difference. */
async function standingOf(
  { kind, recordsOf = withoutContents }: Deletable,
  before: Doomed,
  context: Context,
): Promise<Standing> {
  const refused: unknown[] = []
  const [now] = await recordsOf([before.name], context, (error) => {
    refused.push(error)
    return refusedLater(error)
  })
  // What was never there cannot have been deleted by what was sent.
  if (isDeepStrictEqual(now, before)) return 'as before'
  if (now?.state === noRecord) return 'as sent'
  if (refused.length > 0) throw refused[0]
  return changedWhileWaiting({ kind, name: shownName(before) })
}

/** The names that are meant, one after the other: each can be a question. */
async function namesOf(
  { nameOf = fullName }: Deletable,
  given: readonly string[],
  context: Context,
): Promise<string[]> {
  const names: string[] = []
  for (const one of given) names.push(await nameOf(one, context))
  return names
}

/**
 * Why the service will not delete some of the records, by name, so that nobody is asked about them. What it warns of is
 * printed. Without dry runs, only a record that does not exist is known.
 */
async function refusalsOf({ remove, read }: Deletable, records: readonly Doomed[], context: Context) {
  const { client, dryRun } = await context.connect()
  const dry = await dryRun(() => {})
  const found = new Map<string, ServiceError>()
  const warned = new Map<Doomed, readonly Warning[]>()
  for (const record of records) {
    const { name } = record
    await (dry ? remove(dry.client, name) : read?.(client, name))?.catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      if (dry ? !isUnpredicted(error) : missing.includes(error.kind)) found.set(name, error)
    })
    warned.set(record, context.warnings.take())
  }
  const deletable = records.filter(({ name }) => !found.has(name))
  for (const [record, warnings] of warned) printWarnings(warnings.filter(besides(record, deletable)), context.output)
  return found
}

/** Whether what the service warns of at the deletion of a record is about none of the others that are deleted with it. */
const besides =
  ({ name: own }: Doomed, deleted: readonly Doomed[]) =>
  ({ about }: Warning): boolean =>
    about === own || !deleted.some(({ name }) => name === about)

const missing: readonly unknown[] = ['notFound', 'unknownVatom'] satisfies ErrorName[]

/** What stands for what the service refuses to read; throws all other errors. */
export type Unread = (error: unknown) => []

/** What the service refuses to read it refuses to delete, too: that is reported. */
export function refusedLater(error: unknown): [] {
  if (error instanceof ServiceError) return []
  throw error
}

/** A record that is to be deleted, and what is deleted with it. */
export interface Doomed {
  /** Its name or id, by which it is deleted. */
  readonly name: string
  /** What people are shown instead, where that is an id alone. */
  readonly title?: string | undefined
  readonly contents: readonly string[]
  /** Which of its contents are of another catalog. */
  readonly others?: string | undefined
  /** Whether vAtoms that were emitted are among them. */
  readonly takesVatoms?: boolean
  /** How many these are, whoever owns them; undefined if the service does not report it. */
  readonly vatoms?: number | undefined
  /** What shows that it was changed; undefined where that is not read. */
  readonly state?: string
}

const withoutContents: NonNullable<Deletable['recordsOf']> = async (names) =>
  names.map((name) => ({ name, contents: [] }))

/** Records of a kind of which nothing else is deleted with one. */
async function withStates(
  kind: Kind,
  names: readonly string[],
  context: Context,
  unread: Unread,
): Promise<readonly Doomed[]> {
  const { client } = await context.connect()
  return inParallel(names, async (name) => ({
    name,
    contents: [],
    ...(await readState(client, kind, name).catch(unread)),
  }))
}

/** The state of a record. */
export async function readState(client: Client, kind: Kind, name: string): Promise<Pick<Doomed, 'state'>> {
  const record = await ifFound(readRecord(client, kind, name))
  return { state: stateOf(kind.name, record ? [record] : []) }
}

const shownName = ({ name, title = name }: Doomed) => title

/** A record with all that goes with it. */
const whole = ({ words, along }: Deletable, record: Doomed) =>
  `${words} ${shownName(record)}${withAll([...(along ? [along[0]] : []), ...record.contents])}${othersIn(record)}`

const othersIn = ({ others }: Doomed) => (others === undefined ? '' : ` (${others})`)

/** Asks before records are deleted; of many a person types how many, and of one that takes vAtoms with it the name. */
async function askAbout(noun: Deletable, records: readonly Doomed[], yes: boolean | undefined, context: Context) {
  const { verb = 'delete', isFinal } = noun
  if (yes || !context.prompt.canAsk())
    return confirmed(`${verbs[verb][0]} ${await question(noun, records)}?`, '--yes', yes, context)
  const asked = await question(noun, await titled(noun, records, context))
  const takesVatoms = records.some((one) => one.takesVatoms)
  if (typesDeletion(records.length, takesVatoms))
    return typedFinal(`${verb} ${asked}`, { expected: typedFor(verb, records) }, context)
  return confirmed(`${verbs[verb][0]} ${asked}?${isFinal ? ' This cannot be undone.' : ''}`, '--yes', yes, context)
}

/** What a person types to delete records: the name of one, or how many they are. */
const typedFor = (verb: string, records: readonly Doomed[]): string => {
  const [only, ...others] = records
  return only && others.length === 0 ? only.name : `${verb} ${records.length}`
}

/** Records with the titles by which a person knows them. */
async function titled(
  { titlesOf }: Deletable,
  records: readonly Doomed[],
  context: Context,
): Promise<readonly Doomed[]> {
  if (!titlesOf) return records
  const { client } = await context.connect()
  const titles = await titlesOf(
    client,
    records.map(({ name }) => name),
  )
  return records.map((one) => ({ ...one, title: [titles.get(one.name), one.name].filter(Boolean).join(' ') }))
}

async function question(noun: Deletable, records: readonly Doomed[]): Promise<string> {
  const { words, along } = noun
  const [first] = records
  if (first && records.length === 1) return whole(noun, first)
  const { nameList } = await import('../../../contract/schema/suggest.ts')
  const names = records.map((record) => `${shownName(record)}${withAll(record.contents)}${othersIn(record)}`)
  return `${records.length} ${words}s${withAll(along ? [along[1]] : [])}: ${nameList(names)}`
}

/** What is special about deleting the records of a kind. */
export interface Deletion extends Pick<Deletable, 'description' | 'along' | 'keyHelp' | 'recordsOf'> {}

/** The template that was given in place of an id; undefined for what is no name. */
const templateIn = (text: string) => (text.includes('::') ? text : undefined)

/** `delete` of a kind. */
export const deleteKindCommand = (kind: Kind, deletion: Deletion): Make =>
  deleteCommandFor({
    recordsOf: (names, context, unread) => withStates(kind, names, context, unread),
    ...deletion,
    kind: kind.name,
    words: kind.name,
    summary: `delete ${kind.hasDrafts ? 'draft ' : ''}${kind.name}s`,
    key: kind.key,
    ...(kind.key === 'name' && {
      keyHelp: nameHelp(kind.name),
      nameOf: (given: string, context: Context) =>
        givenName({ ...typedName(kind, given, context), isFinal: true }, context),
    }),
    remove: (client, key, vatoms, again) => removeRecord(client, kind, { key, vatoms }, again),
    ...(kind.operations.get && { read: (client: Client, key: string) => readRecord(client, kind, key) }),
    hints: (client, key) => ({
      moreVatoms: askAgain,
      ...(kind.parent === undefined && { published: `make the next version: vatom template bump ${quoted(key)} PATH` }),
      notFound: kind.key === 'name' ? missingRecord(client, kind, key) : seeList(listOf(kind, templateIn(key))),
    }),
  })
