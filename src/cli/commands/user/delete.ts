import { Command } from 'commander'
import { isUnpredicted } from '../../../client/errors.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { guestTokenType } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { usage } from '../../failure/failure.ts'
import { styled } from '../../io/text.ts'
import { ownCount } from '../../kinds/draft-contents.ts'
import { deleteTokens } from '../../service/config.ts'
import { tokenKey } from '../../service/user-tokens.ts'

interface DeleteOptions extends DryRunOption {
  readonly confirm?: string
}

export const deleteCommand = (context: Context): Command =>
  new Command('delete')
    .summary('delete the user who is signed in')
    .description(
      'Delete the user who is signed in, with their tokens, sessions, messages and avatar, and trash their vAtoms. Templates and other records of their publisher stay. This cannot be undone.',
    )
    .option('--confirm <user>', "the user's e-mail address, phone number or id, instead of asking for it")
    .addOption(dryRunOption())
    .addHelpText('after', '\nExample:\n  vatom user delete --context visitor --confirm ann@example.com')
    .action((options: DeleteOptions) => remove(options, context))

async function remove({ confirm }: DeleteOptions, context: Context): Promise<void> {
  const { prompt, output, credentials } = context
  await context.announce()
  const { client, place } = await context.connect()
  await checkAllowed(context)
  const { id } = await client.getProfile({})
  const tokens = (await client.listUserTokens({})).filter(({ properties }) => properties.token_type !== guestTokenType)
  const names = [...tokens.map(({ properties }) => properties.token), id]
  const [name = id] = names
  if (confirm === undefined) prompt.needPerson('The name of the user', '--confirm USER')
  const count = await ownCount(client)
  const unverified = tokens.flatMap(({ properties }) => (properties.confirmed ? [] : [properties.token]))
  output.warn(styled`deleting ${name} on ${place} trashes ${trashedText(count, unverified)}, and cannot be undone`)
  const typed = confirm ?? (await prompt.retyped(`To delete the user, type ${name}`, '--confirm', name))
  if (!names.includes(typed) && !names.includes(tokenKey(typed).token))
    throw usage(`${typed} is not the user who is signed in to ${place}; nothing was deleted`, `signed in is ${name}`)
  const { success_message: message } = await would(
    `delete the user ${name} on ${place}`,
    client.deleteUser({}),
    'deleted',
  )
  const target = await context.target()
  if (target.name !== undefined) await deleteTokens(credentials, target.name)
  output.report({ deleted: id, message }, () => [styled`Deleted the user ${name} on ${place}`, message])
}

/** The vAtoms that are trashed with a user; those sent to an address that is not verified wait for whoever verifies it. */
function trashedText(count: number | undefined, unverified: readonly string[]): string {
  if (unverified.length === 0) return `their ${count === undefined ? 'vAtoms' : plural(count, 'vAtom')}`
  const all = count === undefined ? '' : ` (${count} in all)`
  return `their vAtoms${all}, but for those sent to ${unverified.join(', ')}, which ${unverified.length === 1 ? 'is' : 'are'} not verified`
}

/** Throws the refusal of a service that will not delete the user, before a name is asked for. */
async function checkAllowed(context: Context): Promise<void> {
  if (context.dryRun) return
  const dry = await (await context.connect()).dryRun(() => {})
  await dry?.client.deleteUser({}).catch((error: unknown) => {
    if (!isUnpredicted(error)) throw error
  })
}
