import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { KindName } from '../../contract/values.ts'
import type { Changes } from '../../documents/changes.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { Failure } from '../failure/failure.ts'
import { hinted, seeList } from '../failure/hinted.ts'
import { toFailure } from '../failure/translate.ts'
import { styled } from '../io/text.ts'
import type { Connection } from '../service/connect.ts'
import type { ChainChange } from './chain-changes.ts'
import { withDocuments } from './create.ts'
import { type Format, formatOption } from './format.ts'
import { type GateOptions, gateWrites } from './gate.ts'
import type { Inputs } from './load-checked.ts'
import { againstChanging, listed } from './refusal.ts'
import { flagsFile } from './results.ts'
import { type Sent, sendDocuments, stopsAll } from './send.ts'

/** What a document changes, and what follows it on chains. */
interface Comparison extends Changes {
  /** What the record goes by, where that is not the document's name. */
  readonly id?: string
  readonly following?: readonly ChainChange[]
}

/** A noun whose records are brought to what documents say. */
export interface UpdateNoun {
  readonly noun: KindName
  /** The command that makes a record of a file, and the one that lists what there is. */
  readonly make: string
  readonly list: string
  /** What the record of a document's name lacks of what it says. */
  readonly compare: (client: Client, document: LoadedDocument) => Promise<Comparison>
  /** Changes the record of a name, or of the id that the comparison found. */
  readonly update: (client: Client, key: string, body: Changes['body']) => Promise<unknown>
  /** Refuses documents before any is compared. */
  readonly gate?: (documents: readonly LoadedDocument[]) => Promise<void>
}

interface UpdateOptions extends Pick<GateOptions, 'acceptCharges'> {
  readonly format: Format
}

/** `update` of a noun that is a draft first. */
export const updateCommandFor = (noun: UpdateNoun, example: string, context: Context, run = updateDocuments): Command =>
  new Command('update')
    .summary(`change draft ${noun.noun}s to what files say`)
    .description(
      `Bring draft ${noun.noun}s to what their documents say: what differs is sent, what a document leaves out is taken back to its default. A draft stays one: publish does the rest. What is published is final: it is left as it is where it equals its document, and refused where it differs.`,
    )
    .argument('<file...>', 'YAML or JSON files, folders, globs, or - for standard input')
    .option('--accept-charges', 'accept the chain writes of an eth section on mainnet')
    .addOption(dryRunOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `\nExamples:\n  vatom ${noun.noun} update ${example}\n  vatom ${noun.noun} update catalog/ --json`,
    )
    .action((files: string[], options: UpdateOptions) => run(noun, files, options, context))

/** Compares every document with its record, asks for what cannot be undone, then sends what differs. */
export const updateDocuments = (
  noun: UpdateNoun,
  inputs: Inputs,
  options: UpdateOptions,
  context: Context,
): Promise<void> =>
  withDocuments(
    {
      noun: noun.noun,
      inputs,
      format: options.format,
      ...(noun.gate && { gate: noun.gate }),
      deliver: async (documents, connection) => {
        const compared = await compareAll(noun, documents, connection, context)
        warnOfDrafts(compared, context)
        await gateChanges(compared, options.acceptCharges, context)
        return sendDocuments(
          documents,
          (document) => sendChanges(noun, document, compared, connection),
          connection,
          context,
        )
      },
    },
    context,
  )

/** What is to be sent of each document, or why nothing can be; what comes after a failure that ends a run is left out. */
type Compared = ReadonlyMap<LoadedDocument, Comparison | Failure>

async function compareAll(
  noun: UpdateNoun,
  documents: readonly LoadedDocument[],
  { client }: Connection,
  { host }: Context,
): Promise<Compared> {
  const compared = new Map<LoadedDocument, Comparison | Failure>()
  for (const document of documents) {
    const found = await compareOne(noun, document, client).catch((error: unknown) => toFailure(error, host))
    compared.set(document, found)
    if (found instanceof Failure && stopsAll(found)) break
  }
  return compared
}

async function compareOne(noun: UpdateNoun, document: LoadedDocument, client: Client): Promise<Comparison> {
  const changes = await hinted(noun.compare(client, document), { notFound: missingHint(noun, document) })
  const refusal = await againstChanging(document, changes)
  if (refusal) throw refusal
  return changes
}

const missingHint = ({ make, list }: UpdateNoun, { file }: LoadedDocument): string =>
  file === flagsFile ? seeList(list) : makeFirst(make, file)

/** The hint that names the command which makes a record of a file. */
export const makeFirst = (make: string, file: string): string => `create it first: vatom ${make} ${operandOf(file)}`

/** A file as a command takes it. */
export const operandOf = (file: string): string => (file === '<stdin>' ? '-' : file)

/** What a document says is published while its record is a draft is published by name alone. Spec 3. */
function warnOfDrafts(compared: Compared, { output }: Context): void {
  for (const [{ kind, name, value }, changes] of compared)
    if (value.unpublished === false && !(changes instanceof Failure) && !changes.final)
      output.warn(styled`${name} stays a draft: vatom ${kind} publish ${name} --confirm ${name}`)
}

async function gateChanges(compared: Compared, accepted: boolean | undefined, context: Context): Promise<void> {
  const changing = [...compared.values()].flatMap((changes) =>
    changes instanceof Failure || changes.differences.length === 0 ? [] : [changes],
  )
  await gateWrites(
    changing.flatMap(({ eth, following = [] }) => [eth, ...following]),
    accepted,
    context,
  )
}

async function sendChanges(
  { noun, update }: UpdateNoun,
  document: LoadedDocument,
  compared: Compared,
  { client, place }: Connection,
): Promise<Sent> {
  const changes = compared.get(document)
  if (changes === undefined || changes instanceof Failure)
    throw changes ?? new Error(`${document.name} was not compared`)
  const { id, differences } = changes
  const name = id === undefined ? document.name : `${document.name} (${id})`
  if (differences.length === 0) return { status: 'unchanged', message: `Unchanged ${noun} ${name} on ${place}` }
  const what = `${noun} ${name} on ${place}: ${await listed(differences)}`
  await would(`update ${what}`, update(client, id ?? name, changes.body))
  return { status: 'updated', message: `Updated ${what}` }
}
