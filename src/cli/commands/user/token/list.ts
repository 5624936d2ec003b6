import { Command } from 'commander'
import type { UserTokenRecord } from '../../../../contract/api/user-token.ts'
import type { Context } from '../../../context.ts'
import { type Columns, printRecords } from '../../../io/table.ts'

export const listCommand = (context: Context): Command =>
  new Command('list')
    .summary('list your tokens')
    .description('List your tokens, the default one first.')
    .addHelpText('after', '\nExample:\n  vatom user token list')
    .action(() => list(context))

async function list({ connect, output }: Context): Promise<void> {
  const { client } = await connect()
  const columns = output.isTTY ? { ...idColumn, ...facts } : { ...facts, ...idColumn }
  await printRecords(await client.listUserTokens({}), columns, 'No tokens.', output)
}

/** The first on a terminal, which shortens it where there is no room; the last for cut and awk. */
const idColumn: Columns<UserTokenRecord> = { ID: ({ id }) => id }

const facts: Columns<UserTokenRecord> = {
  TOKEN: ({ properties: { token } }) => token,
  TYPE: ({ properties: { token_type } }) => token_type,
  STATE: ({ properties: { is_default, confirmed } }) =>
    [...(is_default ? ['default'] : []), confirmed ? 'verified' : 'not verified'].join(', '),
}
