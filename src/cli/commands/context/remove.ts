import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { Context } from '../../context.ts'
import { exit, type Failure, usage } from '../../failure/failure.ts'
import type { YesOption } from '../../kinds/confirmations.ts'
import { checkWritable, deleteTokens } from '../../service/config.ts'
import { noteOverridden } from '../../service/current-context.ts'
import { confirmGuestEnd } from '../../service/guest-session.ts'
import { endSession, unended } from '../../service/session-end.ts'
import { chooseTarget, localName } from '../../service/target.ts'

interface RemoveOptions extends YesOption {
  readonly keepSession?: boolean
}

export const removeCommand = (context: Context): Command =>
  new Command('remove')
    .summary('delete a context, and end its session')
    .description('Delete a saved context and its tokens, and end its session on the service.')
    .argument('<name>', 'a saved context')
    .option('--keep-session', 'do not end the session: a pipeline or another program has its token')
    .option('--yes', 'do not ask before the session of a guest is removed')
    .addHelpText('after', '\nExamples:\n  vatom context remove staging\n  vatom context remove pipeline --keep-session')
    .action((name: string, options: RemoveOptions) => remove(name, options, context))

async function remove(name: string, { yes, keepSession }: RemoveOptions, context: Context): Promise<void> {
  const { host, config, credentials, output } = context
  if (name === localName) throw usage(`${localName} is the built-in context and cannot be removed`)
  if (!Object.hasOwn((await config.read()).contexts, name))
    throw usage(`There is no context named ${name}`, 'list them: vatom context list')
  await confirmGuestEnd(name, yes, () => withClient(name, context, (client) => client.getProfile({})), context)
  const isSignedIn = (await credentials.read())[name] !== undefined
  await checkWritable(credentials, host.signal)
  await checkWritable(config, host.signal)
  const logout = () => withClient(name, context, (client) => client.logout({}))
  const failure = isSignedIn && !keepSession ? await endSession(logout, host) : undefined
  if (failure?.exitCode === exit.interrupted) throw failure
  await deleteTokens(credentials, name)
  let wasCurrent = false
  await config.update(({ contexts: { [name]: _, ...contexts }, current, ...rest }) => {
    wasCurrent = current === name
    return { ...rest, contexts, ...(current !== undefined && current !== name && { current }) }
  })
  const session = isSignedIn ? sessionAfter(keepSession, failure) : undefined
  output.report({ removed: name, session }, () => [`Removed ${name}${session === undefined ? '' : what[session]}.`])
  if (failure) output.warn(unended(failure))
  if (!wasCurrent) return
  output.note(`${localName} is the current context now.`)
  await noteOverridden(localName, context)
}

/** What a script reads of the session. */
const sessionAfter = (keepSession: boolean | undefined, failure: Failure | undefined) => {
  if (keepSession) return 'kept'
  return failure ? 'not_ended' : 'ended'
}

const what = {
  kept: ' and its stored session',
  not_ended: ' and its stored session',
  ended: ', and ended its session',
} as const

/** Calls the service of a saved context, whichever one is chosen. */
async function withClient(name: string, context: Context, call: (client: Client) => Promise<unknown>): Promise<void> {
  const { host, output, dirs, config, credentials, warnings } = context
  const { baseUrl: _, appId: __, ...globals } = { ...context.globals, context: name }
  const target = await chooseTarget(globals, host.env, config.read)
  const { connect } = await import('../../service/connect.ts')
  const { client, close } = await connect(target, {
    host,
    globals,
    output,
    dirs,
    credentials,
    onWarnings: warnings.receive,
  })
  await call(client).finally(close)
}
