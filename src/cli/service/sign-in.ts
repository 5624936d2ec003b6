import { createClient, refreshAccessToken } from '../../client/client.ts'
import { fixedSession } from '../../client/session.ts'
import type { Transport } from '../../client/transport.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { readSecret } from '../io/stdin.ts'
import { styled } from '../io/text.ts'
import { openTransport } from './connect.ts'
import type { SavedContext } from './saved.ts'
import { checkBaseUrl, checkContextName, headerValue, isInsecure, refuseLocal } from './target.ts'

export interface LoginOptions {
  readonly email?: string
  readonly phone?: string
  readonly passwordStdin?: boolean
  readonly refreshTokenStdin?: boolean
}

/** Signs in, stores the tokens, and makes the context current. */
export async function signIn(options: LoginOptions, context: Context): Promise<void> {
  checkOptions(options)
  const place = await placeOf(context)
  const { send, close } = await openTransport({ baseUrl: place.saved.base_url }, context)
  try {
    const tokens = await tokensFor(options, send, place, context)
    const session = fixedSession(tokens.access_token)
    const user = await createClient({ appId: place.saved.app_id, send, session }).getProfile({})
    const publisher = user.system_properties.pub_fqdn || undefined
    await keep(context, place.name, { ...place.saved, ...(publisher && { publisher }) }, tokens)
    const who = publisher ? `for ${publisher}` : `as ${user.id}`
    context.output.result(
      { context: place.name, base_url: place.saved.base_url, user_id: user.id, publisher: publisher ?? null },
      () => [styled`Signed in to ${context.output.paint.bold(place.name)} (${place.saved.base_url}) ${who}.`],
    )
  } finally {
    await close()
  }
}

function checkOptions({ email, phone, passwordStdin, refreshTokenStdin }: LoginOptions): void {
  if (email !== undefined && phone !== undefined)
    throw usage('--email and --phone exclude each other', 'give one of them')
  if (passwordStdin && refreshTokenStdin) throw usage('--password-stdin and --refresh-token-stdin exclude each other')
  if (refreshTokenStdin && (email ?? phone) !== undefined)
    throw usage('--refresh-token-stdin excludes --email and --phone')
}

interface Place {
  readonly name: string
  readonly saved: SavedContext
}

/** The service to sign in to: --base-url (named by --context or the host), else the chosen context. */
async function placeOf({ globals, host, config, target }: Context): Promise<Place> {
  const { baseUrl, appId, context } = globals
  if (baseUrl === undefined) {
    const { name, baseUrl: base_url, appId: app_id } = refuseLocal(await target(), 'login')
    return {
      name: name ?? new URL(base_url).host,
      saved: (await config.read()).contexts[name ?? ''] ?? { base_url, app_id },
    }
  }
  if (context !== undefined) checkContextName(context)
  if (appId === undefined && !host.env.VATOM_APP_ID)
    throw usage('--base-url needs --app-id', "give the application's id with --app-id")
  const insecure = isInsecure(globals, host.env)
  const base_url = checkBaseUrl(baseUrl, '--base-url', insecure)
  const saved = {
    base_url,
    app_id: headerValue(appId ?? host.env.VATOM_APP_ID ?? '', '--app-id'),
    ...(insecure && { insecure }),
  }
  return { name: context ?? new URL(base_url).host, saved }
}

interface Tokens {
  readonly refresh_token: string
  readonly access_token: string
}

async function tokensFor(options: LoginOptions, send: Transport, { saved }: Place, context: Context): Promise<Tokens> {
  if (options.refreshTokenStdin) {
    const refresh_token = await readSecret(context.host, '--refresh-token-stdin')
    return { refresh_token, access_token: await refreshAccessToken(send, saved.app_id, refresh_token) }
  }
  const body = await credentialsOf(options, context)
  const client = createClient({ appId: saved.app_id, send, session: fixedSession('') })
  const { refresh_token, access_token } = await client.login({ body })
  return { refresh_token: refresh_token.token, access_token: access_token.token }
}

async function credentialsOf({ email, phone, passwordStdin }: LoginOptions, { prompt, host }: Context) {
  const token = email ?? phone ?? (await prompt.text('E-mail address', '--email or --phone'))
  const password = passwordStdin
    ? await readSecret(host, '--password-stdin')
    : await prompt.secret('Password', '--password-stdin')
  return { token, token_type: phone === undefined ? 'email' : 'phone_number', auth_data: { password } }
}

async function keep(
  { config, credentials }: Context,
  name: string,
  saved: SavedContext,
  tokens: Tokens,
): Promise<void> {
  await credentials.update((all) => ({ ...all, [name]: tokens }))
  await config.update((known) => ({ ...known, current: name, contexts: { ...known.contexts, [name]: saved } }))
}
