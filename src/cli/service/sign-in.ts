import { type Client, createClient, refreshAccessToken } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import { endOf, fixedSession, userOf } from '../../client/session.ts'
import type { Transport } from '../../client/transport.ts'
import type { User } from '../../contract/api/user.ts'
import type { TokenKey } from '../../contract/api/user-token-formats.ts'
import { isPublisherName } from '../../contract/schema/domain-name.ts'
import { at } from '../../contract/schema/path.ts'
import { guestTokenType } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { hinted } from '../failure/hinted.ts'
import { failureLines } from '../failure/report.ts'
import { openLocked, toFailure } from '../failure/translate.ts'
import { readSecret } from '../io/secret.ts'
import { styled } from '../io/text.ts'
import { confirmed } from '../kinds/confirmations.ts'
import { checkWritable } from './config.ts'
import { openTransport } from './connect.ts'
import { noteNaming } from './current-context.ts'
import { guestLost } from './guest-session.ts'
import type { Credentials, SavedContext } from './saved.ts'
import {
  checkAppId,
  checkBaseUrl,
  checkContextName,
  contextNameOf,
  flagsOf,
  headerValue,
  isInsecure,
  localName,
  noContext,
  refuseLocal,
} from './target.ts'
import { tokenKey } from './user-tokens.ts'

export interface LoginOptions {
  readonly email?: string
  readonly phone?: string
  readonly passwordStdin?: boolean
  readonly guest?: boolean
  readonly guestIdStdin?: boolean
  readonly refreshTokenStdin?: boolean
  /** Whether the session of a guest is replaced without a question. */
  readonly yes?: boolean
}

/** Signs in, stores the tokens, and makes the context current. */
export async function signIn(options: LoginOptions, context: Context): Promise<void> {
  checkOptions(options)
  const place = await placeOf(context)
  if (context.prompt.canAsk()) context.output.note(styled`Signing in to ${place.name} (${place.saved.base_url})`)
  const { base_url, app_id } = place.saved
  const { send, close } = await openTransport({ baseUrl: base_url, appId: app_id, current: false }, context)
  try {
    const { who, ...tokens } = await tokensFor(options, send, place, context)
    const session = fixedSession(tokens.access_token)
    const user = await createClient({ appId: app_id, send, session }).getProfile({})
    const publisher = user.system_properties.pub_fqdn || undefined
    await warnOfReplaced(place.name, tokens.refresh_token, options.yes, context)
    const kept = { service: { base_url, app_id }, ...tokens, ...(options.guest && { guest: true }) }
    await keep(context, place.name, savedWith(publisher, place.saved), kept)
    report(place, user, publisher ? `for ${publisher}` : `as ${who ?? user.id}`, context)
    await noteNaming(place.name, context)
    if (options.guest) context.output.note('to sign in again, a guest needs the guest id: vatom profile get')
  } finally {
    await close()
  }
}

/** A context with the publisher of its user; without one, it keeps its own, if that is a domain name. */
function savedWith(publisher: string | undefined, { publisher: earlier = '', ...saved }: SavedContext): SavedContext {
  const kept = publisher ?? (isPublisherName(earlier) ? earlier : undefined)
  return { ...saved, ...(kept !== undefined && { publisher: kept }) }
}

/**
 * Warns where a context gets the session of another user: its own is no longer stored, but does not end. Asks first where
 * that is a guest's.
 */
async function warnOfReplaced(name: string, refreshToken: string, yes: boolean | undefined, context: Context) {
  const { credentials, host, output } = context
  const { refresh_token: stored, guest, refused } = (await credentials.read())[name] ?? {}
  if (stored === undefined || refused || userOf(stored) === userOf(refreshToken)) return
  const end = endOf(stored)
  if (end && end <= host.now()) return
  if (guest) await confirmed(`${guestLost(name)}. Replace this session?`, '--yes', yes, context)
  output.warn(
    styled`the session that ${name} had belongs to another user: it is replaced here, and stays valid on the service; to have both, sign in with --context NAME`,
  )
}

const report = ({ name, saved: { base_url } }: Place, user: User, who: string, { output }: Context) =>
  output.report(
    { context: name, base_url, user_id: user.id, publisher: user.system_properties.pub_fqdn || null },
    () => [styled`Signed in to ${output.paint.bold(name)} (${base_url}) ${who}. ${name} is the current context now.`],
  )

/** The ways to sign in, of which one can be given; the last three need no password. */
const ways = {
  email: '--email',
  phone: '--phone',
  guest: '--guest',
  guestIdStdin: '--guest-id-stdin',
  refreshTokenStdin: '--refresh-token-stdin',
} as const satisfies Partial<Record<keyof LoginOptions, string>>

function checkOptions(options: LoginOptions): void {
  const given = (Object.keys(ways) as (keyof typeof ways)[]).filter((way) => options[way] !== undefined)
  const flags = given.map((way): string => ways[way])
  if (options.passwordStdin && !['email', 'phone', undefined].includes(given[0])) flags.push('--password-stdin')
  if (flags.length > 1) throw usage(`${flags[0]} and ${flags[1]} exclude each other`, 'give one of them')
}

interface Place {
  readonly name: string
  readonly saved: SavedContext
}

/**
 * The service to sign in to: --base-url (named by --context or the host), else the chosen context. On a terminal it is
 * asked for where no service was ever chosen, or no context has the given name.
 */
async function placeOf(context: Context): Promise<Place> {
  const { globals, host, config, target } = context
  if (globals.baseUrl === undefined && !(await asksForPlace(context))) {
    await checkKnown(context)
    const service = await refuseLocal(await target(), 'login', host.env)
    const { name, baseUrl: base_url, appId: app_id, unclearSession } = service
    if (unclearSession) throw unclearSession
    return {
      name: name ?? contextNameOf(service),
      saved: { ...(await config.read()).contexts[name ?? ''], base_url, app_id },
    }
  }
  if (globals.context !== undefined) checkContextName(globals.context)
  const insecure = isInsecure(globals, host.env)
  const base_url = await addressOf(context, insecure)
  const saved = { base_url, app_id: await appIdOf(context), ...(insecure && { insecure }) }
  return { name: globals.context ?? contextNameOf({ baseUrl: base_url, appId: saved.app_id }), saved }
}

/** Throws a usage error for a name that no context has, with how to make it one. */
async function checkKnown({ globals: { context: name }, config }: Context): Promise<void> {
  if (name === undefined || name === localName) return
  const saved = await config.read()
  if (!Object.hasOwn(saved.contexts, name))
    throw noContext(name, '--context', saved, '; for a new one, add --base-url URL --app-id ID')
}

async function asksForPlace({ globals: { context }, prompt, config, target }: Context): Promise<boolean> {
  if (!prompt.canAsk()) return false
  if (context !== undefined && context !== localName) return !Object.hasOwn((await config.read()).contexts, context)
  const chosen = await target()
  return chosen.kind === 'local' && !chosen.chosen
}

async function addressOf({ globals: { baseUrl }, prompt }: Context, insecure: boolean): Promise<string> {
  const check = (url: string) => checkBaseUrl(url, 'the address', insecure)
  return checkBaseUrl(
    baseUrl ?? (await prompt.text('Address of the service', '--base-url', { check })),
    '--base-url',
    insecure,
  )
}

async function appIdOf({ globals, host, prompt }: Context): Promise<string> {
  const check = (id: string) => checkAppId(id, 'the application id')
  const given = globals.appId ?? (host.env.VATOM_APP_ID || undefined)
  if (given === undefined && !prompt.canAsk())
    throw usage('--base-url needs --app-id', "give the application's id with --app-id")
  return checkAppId(given ?? (await prompt.text('Application id', '--app-id', { check })), '--app-id')
}

interface Tokens {
  readonly refresh_token: string
  readonly access_token: string
}

/** Tokens, and whose they are, in words. */
interface Named extends Tokens {
  readonly who: string
}

async function tokensFor(
  options: LoginOptions,
  send: Transport,
  place: Place,
  context: Context,
): Promise<Tokens & Partial<Named>> {
  const { saved } = place
  if (options.refreshTokenStdin) {
    const given = await readSecret(context, { flag: '--refresh-token-stdin', question: 'Refresh token' })
    const refresh_token = headerValue(given, 'the refresh token')
    return { refresh_token, access_token: await refreshAccessToken(send, saved.app_id, refresh_token) }
  }
  const client = createClient({ appId: saved.app_id, send, session: fixedSession('') })
  if (!options.guest && !options.guestIdStdin)
    return hinted(withPassword(options, client, context), { loginLocked: () => openingHint(place, context) })
  const token = options.guest
    ? await newGuestId(client)
    : await readSecret(context, { flag: '--guest-id-stdin', question: 'Guest id' })
  const session = await client.login({ body: { token, token_type: guestTokenType } })
  return { ...tokensOf(session), who: 'a guest' }
}

/** How to open a locked account of a service that is no context yet; undefined of one, which the run itself names. */
async function openingHint({ name, saved }: Place, { globals, config }: Context): Promise<string | undefined> {
  if (globals.baseUrl === undefined && Object.hasOwn((await config.read()).contexts, name)) return undefined
  return openLocked(`vatom ${flagsOf({ baseUrl: saved.base_url, appId: saved.app_id })}`)
}

const tokensOf = ({ refresh_token, access_token }: Awaited<ReturnType<Client['login']>>): Tokens => ({
  refresh_token: refresh_token.token,
  access_token: access_token.token,
})

/** The guest id of a new guest. */
const newGuestId = async (client: Client) => String(at(await client.createGuest({}), 'properties', 'guest_id'))

/** How often a person may try. */
const tries = 3

/** Signs in with a password. A person who mistypes is asked again: for the password, or for an unknown address too. */
async function withPassword(options: LoginOptions, client: Client, context: Context): Promise<Named> {
  const given = keyIn(options)
  let key = given ?? (await askForKey(1, context))
  for (let attempt = 1; ; attempt++) {
    const auth_data = { password: await passwordFor(attempt, options, context) }
    try {
      return { ...tokensOf(await client.login({ body: { ...key, auth_data } })), who: key.token }
    } catch (error) {
      const kind = error instanceof ServiceError ? error.kind : undefined
      const isUnknown = kind === 'unknownUser' && given === undefined
      if (options.passwordStdin || attempt === tries || !(kind === 'loginFailed' || isUnknown)) throw error
      context.output.complain(failureLines(await toFailure(error, context.host), context.output))
      if (isUnknown) key = await askForKey(attempt + 1, context)
    }
  }
}

function keyIn({ email, phone }: LoginOptions): TokenKey | undefined {
  if (email !== undefined) return { token: email, token_type: 'email' }
  return phone === undefined ? undefined : { token: phone, token_type: 'phone_number' }
}

const askForKey = async (attempt: number, { prompt }: Context) =>
  tokenKey(await prompt.text(`E-mail address or phone number${nth(attempt)}`, '--email or --phone'))

function passwordFor(attempt: number, { passwordStdin }: LoginOptions, context: Context): Promise<string> {
  const [question, flag] = [`Password${nth(attempt)}`, '--password-stdin']
  return passwordStdin ? readSecret(context, { flag, question }) : context.prompt.secret(question, flag)
}

const nth = (attempt: number) => (attempt === 1 ? '' : ` (attempt ${attempt} of ${tries})`)

/** Stores both or, where it is interrupted while others write, nothing. */
async function keep(
  { host, config, credentials }: Context,
  name: string,
  saved: SavedContext,
  tokens: Credentials[string],
): Promise<void> {
  await checkWritable(config, host.signal)
  await credentials.update((all) => ({ ...all, [name]: tokens }), host.signal)
  await config.update((known) => ({ ...known, current: name, contexts: { ...known.contexts, [name]: saved } }))
}
