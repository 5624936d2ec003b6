import { existsSync } from 'node:fs'
import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { template } from '../../contract/kinds/template.ts'
import { publisherPlaceholder, shortName } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { listedKinds, listRecords } from '../kinds/requests.ts'
import { inParallel } from '../service/in-parallel.ts'
import { knownPublisher } from '../service/publisher.ts'
import { contextNames } from '../service/target.ts'

/** Names for the scripts that `completion` prints. */
export const command = (context: Context): Command =>
  new Command('__complete')
    .description('Print the names of one sort that begin with a prefix, one per line.')
    .argument('<sort>')
    .argument('[prefix]')
    .action((sort: string, prefix = '') => complete(sort, prefix, context))

/** Milliseconds after which no names are offered. */
const patience = 1000
const page = { limit: '1000', fields: 'name' }

type Names = (context: Context, prefix: string) => Promise<readonly string[]>

/** Those of a list that begin with the prefix. */
const beginning =
  (list: (context: Context) => Promise<readonly string[]>): Names =>
  async (context, prefix) =>
    (await list(context)).filter((name) => name.startsWith(prefix))

const sorts: ReadonlyMap<string, Names> = new Map<string, Names>([
  ['contexts', beginning(async ({ config }) => contextNames(await config.read()))],
  ['snapshots', beginning(snapshotNames)],
  ['fields', beginning(explainedNames)],
  ['performable', beginning(performable)],
  ...listedKinds.map((kind): [string, Names] => [`${kind.name}s`, (context, prefix) => namesOf(kind, prefix, context)]),
])

/** Prints names; none after any failure. */
async function complete(sort: string, prefix: string, context: Context): Promise<void> {
  const names =
    (await sorts
      .get(sort)?.(context, prefix)
      .catch(() => [])) ?? []
  context.output.result(names, () => names)
}

async function snapshotNames(context: Context): Promise<readonly string[]> {
  if (!existsSync(localDatabase(context.dirs))) return []
  const { withSnapshots } = await import('../service/snapshots.ts')
  return withSnapshots(context, async (snapshots) => (await snapshots.list()).map(({ name }) => name))
}

async function explainedNames(): Promise<readonly string[]> {
  const { explainable } = await import('../../contract/derived/explain.ts')
  const { ruleNotes } = await import('../../documents/report/rule-notes.ts')
  const { codeNames } = await import('../explain/explain-codes.ts')
  return [...explainable(), ...ruleNotes.map(({ name }) => name), ...codeNames, ...(await standardNames())]
}

async function standardNames(): Promise<readonly string[]> {
  const { standardActions } = await import('../../contract/kinds/standard-actions.ts')
  return standardActions.map(({ name }) => name)
}

/** Templates whose actions are read at most. */
const readTemplates = 50

/** Names of actions without their templates: the standard ones, and those of the publisher's templates. */
async function performable(context: Context): Promise<readonly string[]> {
  const own = await withClient(context, async (client) => {
    const templates = (await namesIn(client, template)).slice(0, readTemplates)
    const lists = await inParallel(templates, (name) => client.listTemplateActions({ template: name }))
    return lists.flat().map(({ name }) => shortName(name))
  }).catch(() => undefined)
  return [...new Set([...(await standardNames()), ...(own ?? [])])]
}

/**
 * Names of records of the current context: those that begin with the prefix, the publisher's own with `$publisher` where that
 * is typed; where none does, those with a later part that begins so. These are offered from that part on if no other has the
 * rest, and else from their template on, which the shells only list.
 */
async function namesOf(kind: Kind, prefix: string, context: Context): Promise<readonly string[]> {
  const names = (await withClient(context, (client) => namesIn(client, kind))) ?? []
  const whole = names.filter((name) => name.startsWith(prefix))
  if (whole.length > 0) return whole
  const publisher = `${await knownPublisher(context)}::`
  const own = names.filter((name) => name.startsWith(publisher))
  if (prefix.startsWith('$'))
    return own
      .map((name) => `${publisherPlaceholder}::${name.slice(publisher.length)}`)
      .filter((name) => name.startsWith(prefix))
  const { namesWith } = await import('../kinds/short-name.ts')
  return own.flatMap((name) => {
    const ends = endsOf(name).filter((end) => end.startsWith(prefix))
    const enough = ends.filter((end) => namesWith(end, own).length === 1)
    return ends.length > 0 && enough.length === 0 ? [name.slice(publisher.length)] : enough
  })
}

/** What follows each `::` of a name, the longest first. */
const endsOf = (name: string): string[] => {
  const parts = name.split('::').slice(1)
  return parts.map((_, index) => parts.slice(index).join('::'))
}

const namesIn = async (client: Client, kind: Kind) =>
  (await listRecords(client, kind, page)).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))

/** Work with the service of the current context; undefined if that is the local one and has no data. */
async function withClient<T>(context: Context, work: (client: Client) => Promise<T>): Promise<T | undefined> {
  const target = await context.target()
  if (target.kind === 'local' && !existsSync(localDatabase(context.dirs))) return undefined
  const { connect } = await import('../service/connect.ts')
  const connection = await connect(target, hurried(context))
  try {
    return await work(connection.client)
  } finally {
    await connection.close()
  }
}

/** Options of a connection with a short timeout that stores nothing. */
function hurried({ host, globals, dirs, credentials }: Context) {
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(patience)])
  return {
    host: { ...host, signal },
    globals: { ...globals, timeout: patience / 1000 },
    output: { note: () => {} },
    dirs,
    credentials: { read: credentials.read, update: async () => {} },
    onWarnings: () => {},
  }
}
