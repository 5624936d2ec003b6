import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { Changes } from '../../../contract/kinds/changes.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { at } from '../../../contract/schema/path.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { Failure } from '../../failure/failure.ts'
import { hinted, seeList } from '../../failure/hinted.ts'
import { toFailure } from '../../failure/translate.ts'
import { shellWord, styled } from '../../io/text.ts'
import type { Make } from '../../noun.ts'
import type { Connection } from '../../service/connect.ts'
import { type ChainChange, chainWritesOf, followingChanges } from '../chain-changes.ts'
import { acceptChargesOption, type ChargesOption, confirmWrites } from '../confirmations.ts'
import { withDocuments } from '../deliver.ts'
import { existingTemplates } from '../existing-templates.ts'
import { changeRefusal, type Existing, listed } from '../final-records.ts'
import { followText } from '../following-lines.ts'
import { documentFiles, type Inputs } from '../load-checked.ts'
import { type FormatOption, formatOption, maxWarningsOption } from '../problems.ts'
import { readRecord, updateRecord } from '../requests.ts'
import { flagsFile } from '../results.ts'
import { type Sent, stopsAll } from '../send.ts'
import { changedWhileWaiting, orDone, type Standing, whileAsBefore } from '../sending-again.ts'
import { listOf } from './list.ts'

/** What a document changes, and what changes on chains because of it. */
interface Comparison extends Changes {
  /** The id of the record, if its key is not the document's name. */
  readonly id?: string
  readonly following?: readonly ChainChange[]
  /** Reads how many vAtoms change with it; undefined if the service does not say it. */
  readonly followers?: () => Promise<number | undefined>
}

/** How documents of a kind are compared with their records. */
export interface Updating {
  readonly kind: Kind
  /** What a document changes. */
  readonly compare: (client: Client, document: LoadedDocument) => Promise<Comparison>
  /** The same, which has read nothing yet; not there if it keeps nothing of what it reads. */
  readonly anew?: () => Updating
  /** Throws for documents that cannot be updated together. */
  readonly gate?: (documents: readonly LoadedDocument[]) => Promise<void>
}

/** Compares a document with the record of its name. */
export const comparing = (kind: Kind): Updating => ({
  kind,
  compare: async (client, { name, value }) => {
    const record = await readRecord(client, kind, name)
    const found = await kind.changes(value, record, await templateEth(client, kind, value, record))
    const followers = async () => {
      const { followersOnService } = await import('../followers.ts')
      return followersOnService(client, { kind: kind.name, stored: record, changes: found })
    }
    const changes = kind.hasDrafts ? { ...found, followers } : found
    if (kind.parent !== undefined || !('eth' in changes.body)) return changes
    return { ...changes, following: await followingChanges(client, name, changes.eth.after) }
  },
})

/** The `eth` section of a variation's template; read only if the variation has one, too. */
const templateEth = async (client: Client, { parent }: Kind, { eth }: Section, { properties }: Section) =>
  parent === undefined || eth === undefined
    ? undefined
    : (await client.getTemplate({ name: String(at(properties, 'template')) })).properties.eth

type UpdateOptions = ChargesOption & FormatOption

/** `update` of a kind whose records are drafts first. */
export const updateCommand =
  (kind: Kind): Make =>
  (context) =>
    new Command('update')
      .summary(`change draft ${kind.name}s to match their files`)
      .description(
        `Change draft ${kind.name}s to match their documents. Only differences are sent; a field that a document leaves out goes back to its default. Drafts stay drafts; use publish to publish them. Published ${kind.name}s are final: a document that equals its published record changes nothing, and one that differs is refused.`,
      )
      .argument('<file...>', documentFiles)
      .addOption(acceptChargesOption())
      .addOption(dryRunOption())
      .addOption(formatOption())
      .addOption(maxWarningsOption())
      .addHelpText(
        'after',
        `\nExamples:\n  vatom ${kind.name} update coffee${kind.fileEnding}.yaml\n  vatom ${kind.name} update catalog/ --json`,
      )
      .action((files: string[], options: UpdateOptions) => updateDocuments(comparing(kind), files, options, context))

/** Compares every document with its record, asks about charges, then sends what differs. */
export const updateDocuments = (
  updating: Updating,
  inputs: Inputs,
  options: UpdateOptions,
  context: Context,
): Promise<void> =>
  withDocuments(
    {
      kind: updating.kind,
      inputs,
      format: options.format,
      maxWarnings: options.maxWarnings,
      verbOf: () => 'update',
      ...(updating.gate && { gate: updating.gate }),
      sender: async (documents, connection) => {
        const compared = await compareAll(updating, documents, connection, context)
        warnOfDrafts(compared, context)
        await gateChanges(compared, options.acceptCharges, context)
        return (document) => sendChanges(updating, document, compared, connection)
      },
    },
    context,
  )

/** What to send of each document, or why it is refused; without the documents after a failure that ends the run. */
type Compared = ReadonlyMap<LoadedDocument, Comparison | Failure>

async function compareAll(
  updating: Updating,
  documents: readonly LoadedDocument[],
  { client }: Connection,
  { host }: Context,
): Promise<Compared> {
  const existing = { cwd: host.cwd, documents, hasTemplate: existingTemplates(client, documents) }
  const compared = new Map<LoadedDocument, Comparison | Failure>()
  for (const document of documents) {
    const found = await compareOne(updating, document, client, existing).catch((error: unknown) =>
      toFailure(error, host),
    )
    compared.set(document, found)
    if (found instanceof Failure && stopsAll(found)) break
  }
  return compared
}

async function compareOne(
  updating: Updating,
  document: LoadedDocument,
  client: Client,
  existing: Existing,
): Promise<Comparison> {
  const changes = await hinted(updating.compare(client, document), { notFound: missingHint(updating.kind, document) })
  const refusal = await changeRefusal(document, changes, existing)
  if (refusal) throw refusal
  return changes
}

const missingHint = (kind: Kind, { file }: LoadedDocument): string =>
  file === flagsFile ? seeList(listOf(kind)) : createFirst(kind, file)

/** The command that changes records to match a file. */
export const updateOf = ({ name }: Kind, file: string): string => `vatom ${name} update ${operandOf(file)}`

/** The hint that names the command which creates a record from a file. */
export const createFirst = ({ name, verb }: Kind, file: string): string =>
  `create it first: vatom ${name} ${verb} ${operandOf(file)}`

/** A file as an argument of a command. */
export const operandOf = (file: string): string => (file === '<stdin>' ? '-' : shellWord(file))

/** Warns that `unpublished: false` does not publish a draft: that takes its name. Spec 3. */
function warnOfDrafts(compared: Compared, { output }: Context): void {
  for (const [{ kind, name, value }, changes] of compared)
    if (value.unpublished === false && !(changes instanceof Failure) && !changes.final)
      output.warn(styled`${name} stays a draft: ${output.hint(`vatom ${kind} publish ${shellWord(name)}`)}`)
}

async function gateChanges(compared: Compared, accepted: boolean | undefined, context: Context): Promise<void> {
  const changing = [...compared].flatMap(([document, changes]) =>
    changes instanceof Failure || changes.differences.length === 0 ? [] : [{ ...changes, document }],
  )
  const written = changing.flatMap(({ eth, following = [] }) => [eth, ...following])
  if (!accepted && chainWritesOf(written).charged.length > 0)
    for (const { document, followers } of changing) noteFollowers(document, await followers?.(), context)
  await confirmWrites(written, accepted, context)
}

/** Says how many vAtoms change with a draft, before a question whose answer changes them. */
function noteFollowers({ kind, name }: LoadedDocument, count = 0, { output }: Context): void {
  if (count > 0) output.note(styled`${kind} ${name}: ${followText(count)} it`)
}

async function sendChanges(
  updating: Updating,
  document: LoadedDocument,
  compared: Compared,
  { client, place }: Connection,
): Promise<Sent> {
  const changes = compared.get(document)
  if (changes === undefined || changes instanceof Failure)
    throw changes ?? new Error(`${document.name} was not compared`)
  const { kind } = updating
  const { id, differences } = changes
  const name = id === undefined ? document.name : `${document.name} (${id})`
  if (differences.length === 0) return { status: 'unchanged', message: `Unchanged ${kind.name} ${name} on ${place}` }
  const what = `${kind.name} ${name} on ${place}: ${await listed(differences)}`
  const again = whileAsBefore(() => standingOf(updating, document, changes, client))
  const updated = orDone(updateRecord(client, kind, { key: id ?? name }, changes.body, again), async () => ({}))
  await would(`update ${what}`, updated, 'updated', async () => {
    const followers = await changes.followers?.()
    return { changes: differences, ...(followers && { following_vatoms: followers }) }
  })
  return { status: 'updated', message: `Updated ${what}` }
}

/** What has become of the record of a document since it was compared. */
async function standingOf(
  updating: Updating,
  document: LoadedDocument,
  before: Comparison,
  client: Client,
): Promise<Standing> {
  const now = await (updating.anew?.() ?? updating).compare(client, document)
  if (now.id !== before.id) return changedWhileWaiting(document)
  if (now.differences.length === 0) return 'as sent'
  return isDeepStrictEqual(now.differences, before.differences) ? 'as before' : changedWhileWaiting(document)
}
