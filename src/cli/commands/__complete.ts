import { existsSync } from 'node:fs'
import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { publisherPlaceholder } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { localDatabase } from '../dirs.ts'
import { knownPublisher } from '../service/publisher.ts'
import { contextNames } from '../service/target.ts'

/** Names for the scripts that `completion` prints. */
export const command = (context: Context): Command =>
  new Command('__complete')
    .description('Print the names of one sort that begin with a prefix, one per line.')
    .argument('<sort>')
    .argument('[prefix]')
    .action((sort: string, prefix = '') => complete(sort, prefix, context))

/** Milliseconds that a person waits for a name. */
const patience = 1000
const page = { limit: '1000', fields: 'name' }

const sorts: Readonly<Record<string, (context: Context) => Promise<readonly string[]>>> = {
  contexts: async ({ config }) => contextNames(await config.read()),
  templates: (context) => listed(context, (client) => client.listTemplates({ query: page })),
  variations: (context) => listed(context, (client) => client.listVariations({ query: page })),
}

/** Prints names; whatever goes wrong, there are none. */
async function complete(sort: string, prefix: string, context: Context): Promise<void> {
  const names = Object.hasOwn(sorts, sort) ? await sorts[sort]?.(context).catch(() => []) : []
  const found = (names ?? []).filter((name) => name.startsWith(prefix))
  context.output.result(found, () => found)
}

type Listing = (client: Client) => Promise<readonly { readonly name?: string | undefined }[]>

/** Names of the current context's records, with `$publisher` for the own domain beside it. */
async function listed(context: Context, list: Listing): Promise<readonly string[]> {
  const target = await context.target()
  if (target.kind === 'local' && !existsSync(localDatabase(context.dirs))) return []
  const { connect } = await import('../service/connect.ts')
  const connection = await connect(target, inHaste(context))
  try {
    const names = (await list(connection.client)).flatMap(({ name }) => (name === undefined ? [] : [name]))
    const own = `${await knownPublisher(context)}::`
    const short = names
      .filter((name) => name.startsWith(own))
      .map((name) => `${publisherPlaceholder}::${name.slice(own.length)}`)
    return [...names, ...short]
  } finally {
    await connection.close()
  }
}

/** A connection that gives up soon, and stores nothing. */
function inHaste({ host, globals, dirs, credentials }: Context) {
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(patience)])
  return {
    host: { ...host, signal },
    globals: { ...globals, timeout: patience / 1000 },
    dirs,
    credentials: { read: credentials.read, update: async () => {} },
    onWarnings: () => {},
  }
}
