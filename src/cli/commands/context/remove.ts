import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { deleteTokens } from '../../service/config.ts'
import { localName } from '../../service/target.ts'

export const removeCommand = (context: Context): Command =>
  new Command('remove')
    .summary('delete a context and its tokens')
    .description('Delete a saved context and its tokens. To end the session on the service, run vatom logout first.')
    .argument('<name>', 'a saved context')
    .addHelpText('after', '\nExample:\n  vatom context remove staging')
    .action((name: string) => remove(name, context))

async function remove(name: string, { config, credentials, output }: Context): Promise<void> {
  if (name === localName) throw usage(`${localName} is the built-in context and cannot be removed`)
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
    output.warn('the service did not end the session: to end one, run vatom logout before you remove its context')
}
