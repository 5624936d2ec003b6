import { existsSync } from 'node:fs'
import { Command } from 'commander'
import type { Kind } from '../../contract/kinds/kind.ts'
import { publisherPlaceholder } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { listedKinds, listRecords } from '../kinds/requests.ts'
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

type Names = (context: Context) => Promise<readonly string[]>

const sorts: ReadonlyMap<string, Names> = new Map<string, Names>([
  ['contexts', async ({ config }) => contextNames(await config.read())],
  ...listedKinds.map((kind): [string, Names] => [`${kind.name}s`, (context) => namesOf(kind, context)]),
])

/** Prints names; none after any failure. */
async function complete(sort: string, prefix: string, context: Context): Promise<void> {
  const names =
    (await sorts
      .get(sort)?.(context)
      .catch(() => [])) ?? []
  const found = names.filter((name) => name.startsWith(prefix))
  context.output.result(found, () => found)
}

/** Names of records of the current context; the publisher's own also with `$publisher` for the domain name. */
async function namesOf(kind: Kind, context: Context): Promise<readonly string[]> {
  const target = await context.target()
  if (target.kind === 'local' && !existsSync(localDatabase(context.dirs))) return []
  const { connect } = await import('../service/connect.ts')
  const connection = await connect(target, hurried(context))
  try {
    const records = await listRecords(connection.client, kind, page)
    const names = records.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
    const own = `${await knownPublisher(context)}::`
    const short = names
      .filter((name) => name.startsWith(own))
      .map((name) => `${publisherPlaceholder}::${name.slice(own.length)}`)
    return [...names, ...short]
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
    dirs,
    credentials: { read: credentials.read, update: async () => {} },
    onWarnings: () => {},
  }
}
