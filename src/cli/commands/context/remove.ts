import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import type { YesOption } from '../../kinds/confirmations.ts'
import { deleteTokens } from '../../service/config.ts'
import { confirmGuestEnd } from '../../service/guest-session.ts'
import { localName } from '../../service/target.ts'

export const removeCommand = (context: Context): Command =>
  new Command('remove')
    .summary('delete a context and its tokens')
    .description('Delete a saved context and its tokens. To end the session on the service, run vatom logout first.')
    .argument('<name>', 'a saved context')
    .option('--yes', 'do not ask before the session of a guest is removed')
    .addHelpText('after', '\nExample:\n  vatom context remove staging')
    .action((name: string, options: YesOption) => remove(name, options, context))

async function remove(name: string, { yes }: YesOption, context: Context): Promise<void> {
  const { config, credentials, output } = context
  if (name === localName) throw usage(`${localName} is the built-in context and cannot be removed`)
  await confirmGuestEnd(name, yes, context)
  let wasCurrent = false
  await config.update(({ contexts: { [name]: removed, ...contexts }, current, ...rest }) => {
    wasCurrent = current === name
    if (removed === undefined) throw usage(`There is no context named ${name}`, 'list them: vatom context list')
    return { ...rest, contexts, ...(current !== undefined && current !== name && { current }) }
  })
  const hasSession = (await credentials.read())[name] !== undefined
  await deleteTokens(credentials, name)
  output.result({ removed: name }, () => [`Removed ${name}${hasSession ? ' and its stored session' : ''}.`])
  if (wasCurrent) output.note(`${localName} is the current context now`)
  if (hasSession)
    output.warn(
      'the service did not end the session, and nothing on this machine can any more: the next time, run vatom logout before you remove a context',
    )
}
