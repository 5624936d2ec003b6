import { Command, Option } from 'commander'
import type { TokenKey } from '../../../contract/api/user-token-formats.ts'
import { at } from '../../../contract/schema/path.ts'
import { guestTokenType } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { hinted } from '../../failure/hinted.ts'
import { collected, fieldsOf } from '../../io/option-values.ts'
import { isRepeated, readNewPassword } from '../../io/secret.ts'
import { shellWord, styled } from '../../io/text.ts'
import { givenToken, noteUnsent } from '../../service/user-tokens.ts'
import { withProfileOptions } from '../profile/options.ts'

/** Further options are fields of the profile. */
interface RegisterOptions extends DryRunOption {
  readonly email?: readonly string[]
  readonly phone?: readonly string[]
  readonly guest?: boolean
  readonly passwordStdin?: boolean
}

export const registerCommand = (context: Context): Command =>
  withProfileOptions(
    new Command('register')
      .summary('register a new user')
      .description(
        'Register a user who signs in with e-mail addresses, phone numbers or, as a guest, with a guest id. The first token is the default one. You stay signed in as who you are.',
      )
      .addOption(tokens('--email <address>', 'an e-mail address of the user'))
      .addOption(tokens('--phone <number>', 'a phone number of the user with its country code'))
      .option('--guest', 'let the user sign in with a new guest id, without a password')
      .option('--password-stdin', "read the user's password from standard input"),
  )
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom user register --email ann@example.com --first-name Ann
  printf %s "$PASSWORD" |
    vatom user register --email ann@example.com --password-stdin
  vatom user register --guest --json | jq -r .properties.guest_id

On a terminal it asks for what is missing. Without a password the user signs in
with the one-time pin that vatom user reset-password sends.`,
    )
    .action((options: RegisterOptions) => register(options, context))

const tokens = (flags: string, description: string) =>
  new Option(flags, `${description}; may be given again`).argParser(collected)

async function register({ dryRun: _, ...options }: RegisterOptions, context: Context): Promise<void> {
  const { email, phone, guest, passwordStdin, ...profile } = options
  await context.announce()
  const keys = await tokensOf(options, context)
  const addresses = keys.flatMap(({ token_type, token }) => (token_type === guestTokenType ? [] : [token]))
  const password = await passwordOf(passwordStdin, addresses, context)
  const [{ Registration }, { checkValue }] = await Promise.all([
    import('../../../contract/api/session.ts'),
    import('../../kinds/load-checked.ts'),
  ])
  const given = { ...fieldsOf(profile), ...(password && { password }), user_tokens: keys }
  const body = await checkValue(Registration(), given, {
    password: '--password-stdin',
    user_tokens: '--email, --phone',
  })
  const { client, place } = await context.connect()
  const who = addresses.join(', ') || 'a guest'
  const registered = hinted(client.registerUser({ body }), {
    tokenTaken: 'a user who forgot the password gets a one-time pin: vatom user reset-password USER',
  })
  const { user } = await would(`register ${who} on ${place}`, registered)
  const guestId = guest ? [styled`guest id: ${String(at(user, 'properties', 'guest_id'))}`] : []
  context.output.report(user, () => [styled`Registered ${who} on ${place}: ${user.id}`, ...guestId])
  const [address] = addresses
  if (address === undefined) return
  if (!password && !guest)
    context.output.note(
      styled`To sign in, the user needs a one-time pin: ${context.output.hint(`vatom user reset-password ${shellWord(address)}`)}`,
    )
  await noteUnsent(context)
}

async function tokensOf({ email = [], phone = [], guest }: RegisterOptions, { prompt }: Context): Promise<TokenKey[]> {
  const given = [
    ...email.map((text) => givenToken(text, 'email')),
    ...phone.map((text) => givenToken(text, 'phone_number')),
    ...(guest ? [{ token: crypto.randomUUID(), token_type: guestTokenType }] : []),
  ]
  if (given.length > 0) return given
  const question = 'E-mail address or phone number of the user'
  return [givenToken(await prompt.text(question, '--email, --phone or --guest', { check: (text) => givenToken(text) }))]
}

/** The new user's password, typed twice by a person; empty for none. A guest without an address needs none. */
async function passwordOf(
  fromStdin: boolean | undefined,
  addresses: readonly string[],
  context: Context,
): Promise<string> {
  const flag = '--password-stdin'
  if (fromStdin) return readNewPassword(context, { flag, question: "The user's password" })
  if (addresses.length === 0 || !context.prompt.canAsk()) return ''
  for (;;) {
    const password = await context.prompt.secret("The user's password, empty for none", flag)
    if (password === '' || (await isRepeated(password, flag, context))) return password
  }
}
