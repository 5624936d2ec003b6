import { isLoopbackUrl } from '../../contract/api/loopback.ts'
import { isPublisherName } from '../../contract/schema/domain-name.ts'
import { parsedUrl } from '../../contract/schema/parsed-url.ts'
import { didYouMean } from '../../contract/schema/suggest.ts'
import { hasJwt } from '../../contract/tokens.ts'
import { headerText } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { ifVariable } from '../failure/empty-arguments.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import type { Globals } from '../globals.ts'
import { shellWord, styled } from '../io/text.ts'
import { pipelineVariable } from '../pipeline.ts'
import { refuseQuotes } from './quoted.ts'
import type { Config, SavedContext } from './saved.ts'
import { user, withHiddenUser } from './shown-address.ts'
import { unset } from './unset.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The service a run talks to. */
export type Target = LocalTarget | NetworkTarget
export interface LocalTarget {
  readonly kind: 'local'
  readonly name: 'local'
  /** Whether a flag, the environment or, except in a pipeline, `context use` chose it, and it is not only the default. */
  readonly chosen: boolean
}
export interface NetworkTarget {
  readonly kind: 'network'
  /** The saved context's name; undefined if flags or the environment give the service. */
  readonly name: string | undefined
  readonly baseUrl: string
  readonly appId: string
  readonly publisher: string | undefined
  /** What is saved as its publisher, if that is no domain name: a service said so, and nothing uses it. */
  readonly strangePublisher?: string
  /** Whether it is the current context, chosen by no flag or variable. */
  readonly current: boolean
  /** Whether the tokens in the environment are for it. */
  readonly environmentTokens: boolean
  /** What gives its address, if that is no saved context. */
  readonly addressFrom?: AddressSource
  /** The token in the environment, if it is for another address, which VATOM_BASE_URL gives. */
  readonly otherToken?: { readonly variable: string; readonly address: string }
  /** The saved context of the same service, which a pipeline does not use unless it is named. */
  readonly unusedContext?: string
  /** Why it has no session, if several contexts have its address: what needs one fails with this. */
  readonly unclearSession?: Failure
}
type AddressSource = '--base-url' | 'VATOM_BASE_URL'

/** The options with which a command uses a service. */
export const flagsOf = ({ baseUrl, appId }: Pick<NetworkTarget, 'baseUrl' | 'appId'>): string =>
  `--base-url ${shellWord(baseUrl)} --app-id ${shellWord(appId)}${insecureFlag(baseUrl)}`

/** What lets a command send tokens in plain text to another machine. */
const insecureFlag = (baseUrl: string): string =>
  baseUrl.startsWith('https:') || isLoopbackUrl(baseUrl) ? '' : ' --insecure'

/** The command that signs in to a service. */
export const loginAt = (target: Pick<NetworkTarget, 'baseUrl' | 'appId'>): string => `vatom login ${flagsOf(target)}`

/** The command that signs in to the service of a context. */
export const loginAs = (context: string): string => `vatom login --context ${shellWord(context)}`

/** The command that signs in to a service, as a context. */
export const loginTo = (context: string, target: Pick<NetworkTarget, 'baseUrl' | 'appId'>): string =>
  `${loginAs(context)} ${flagsOf(target)}`

/** The saved contexts of a service. */
const contextsAt = ({ baseUrl, appId }: Pick<NetworkTarget, 'baseUrl' | 'appId'>, { contexts }: Config) =>
  Object.entries(contexts).filter(([, { base_url, app_id }]) => base_url === baseUrl && app_id === appId)

/** Whether a service is on another machine, for all that its address says. */
export const isElsewhere = (target: Target): boolean => target.kind === 'network' && !isLoopbackUrl(target.baseUrl)

/** Whether a run uses the service on this machine because nothing chose another one. */
export const isDefault = (target: Target): boolean => target.kind === 'local' && !target.chosen

/**
 * A service as JSON says which one it is: `name` is null for one that flags or variables name by its address, `base_url` for
 * the service in this process.
 */
export const contextOf = (target: Target) => ({
  name: target.name ?? null,
  base_url: target.kind === 'local' ? null : target.baseUrl,
})

/** The context every machine has. */
export const localName = 'local'

/**
 * Which service a run talks to: flags, VATOM_CONTEXT, VATOM_BASE_URL with VATOM_APP_ID, the current context.
 * The configuration is read only if it is needed.
 */
export async function chooseTarget(globals: Globals, env: Env, readConfig: () => Promise<Config>): Promise<Target> {
  if (globals.context !== undefined && globals.baseUrl !== undefined)
    throw usage('--context and --base-url exclude each other', 'give one of them')
  if (globals.context !== undefined && globals.appId !== undefined)
    throw usage('--context and --app-id exclude each other', 'a context has its application id')
  if (globals.context !== undefined) return named(globals.context, '--context', await readConfig())
  if (globals.baseUrl !== undefined) return given(await flagAddress(globals, env), env, readConfig)
  if (globals.appId !== undefined)
    throw await unset(usage('--app-id goes with --base-url', 'give both, or a --context'), env)
  if (env.VATOM_CONTEXT) return named(env.VATOM_CONTEXT, 'VATOM_CONTEXT', await readConfig())
  await refuseHalf(env)
  if (env.VATOM_BASE_URL) return given(await environmentAddress(env.VATOM_BASE_URL, globals, env), env, readConfig)
  const config = await readConfig()
  if (config.current === undefined) return { kind: 'local', name: localName, chosen: false }
  return nowCurrent(named(config.current, 'the current context', config), env)
}

/** The code of the failure for variables that do not choose a service together. */
const halfConfiguration = 'half_configuration'

/** For what needs no service, variables that do not choose one are as none. Throws any other error. */
export function unlessHalf(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === halfConfiguration)) throw error
}

/**
 * Refuses variables that are set, but empty, as pipelines set them for secrets that do not exist, and variables that
 * belong to an address that is not there: the run would go to another service than was meant.
 */
async function refuseHalf(env: Env): Promise<void> {
  const set = serviceVariables(env)
  const empty = set.find((name) => env[name] === '')
  const what = empty ? `${empty} is set, but empty` : `${set[0]} is set, but VATOM_BASE_URL is not`
  if (set.length === 0 || (!empty && env.VATOM_BASE_URL)) return
  const hint =
    empty && isWhole({ ...env, [empty]: undefined })
      ? `remove it, as the others choose one: ${withoutVariables([empty])}`
      : `set VATOM_BASE_URL, VATOM_APP_ID and VATOM_REFRESH_TOKEN; or remove them: ${withoutVariables(set)}`
  throw await unset(new Failure(halfConfiguration, exit.usage, `${what}: no service is chosen`, { hint }), env)
}

/** A command line without variables that are set. */
export const withoutVariables = (names: readonly string[]): string =>
  `env ${names.map((name) => `-u ${name}`).join(' ')} vatom …`

/** Those that are set of the variables which choose a service and a session. */
export const serviceVariables = (env: Env): readonly string[] =>
  ['VATOM_CONTEXT', 'VATOM_BASE_URL', 'VATOM_APP_ID', 'VATOM_REFRESH_TOKEN', 'VATOM_ACCESS_TOKEN'].filter(
    (name) => env[name] !== undefined,
  )

/** Whether variables choose a service and a session, all by themselves. */
const isWhole = (env: Env): boolean =>
  [env.VATOM_BASE_URL, env.VATOM_APP_ID, env.VATOM_REFRESH_TOKEN ?? env.VATOM_ACCESS_TOKEN].every(Boolean)

/** Refuses a service in a pipeline where no flag or variable chose it: its records would be written where nobody looks for them. */
export async function refuseUnchosen(target: Target, env: Env): Promise<Target> {
  const failure = unchosen(target, env)
  if (failure) throw await unset(failure, env)
  return target
}

/** Why a run uses no service, though there is a current context; undefined if it uses one. */
export function unchosen(target: Target, env: Env): Failure | undefined {
  const variable = pipelineVariable(env)
  const isChosen = target.kind === 'network' ? !target.current : target.chosen
  if (isChosen || variable === undefined) return undefined
  const [what, name = localName] =
    target.kind === 'network' ? ['the current context', target.name] : ['the service on this machine']
  return usage(
    `No service is chosen; ${usedIfNamed(what, variable)}`,
    `set VATOM_BASE_URL, VATOM_APP_ID and VATOM_REFRESH_TOKEN; for ${what}: VATOM_CONTEXT=${shellWord(name)}`,
  )
}

/** Why a pipeline does not use what no flag or variable names. */
export const usedIfNamed = (what: string, variable: string) =>
  `in a pipeline, where ${variable} is set, ${what} is used only if it is named`

/** A service that no flag or variable chose. What somebody left current on the machine of a pipeline may be no choice of it. */
const nowCurrent = (target: Target, env: Env): Target =>
  target.kind === 'local' ? { ...target, chosen: pipelineVariable(env) === undefined } : { ...target, current: true }

function named(name: string, source: string, config: Config): Target {
  if (name === localName) return { kind: 'local', name: localName, chosen: true }
  if (name.trim() === '') throw usage(`${source} is empty`, `${knownContexts(contextNames(config))}; ${ifVariable}`)
  refuseQuotes(name, source)
  const saved = Object.hasOwn(config.contexts, name) ? config.contexts[name] : undefined
  if (saved !== undefined) return fromSaved(name, saved)
  throw noContext(name, source, config)
}

/** The failure of a name that no context has; `orElse` is what else can be done. */
export const noContext = (name: string, source: string, config: Config, orElse = ''): Failure =>
  usage(`There is no context named ${name} (${source})`, `${knownContexts(contextNames(config), name)}${orElse}`)

/** The contexts that there are, with the one that a name is like, if there is one. */
export function knownContexts(names: readonly string[], given?: string): string {
  const meant = didYouMean(given, names)
  return `${meant === undefined ? '' : `${meant} `}known contexts: ${names.join(', ')}`
}

const fromSaved = (name: string, { base_url, app_id, publisher, insecure }: SavedContext): NetworkTarget => ({
  kind: 'network',
  name,
  baseUrl: checkBaseUrl(base_url, `the address of the context ${name}`, insecure === true),
  appId: app_id,
  ...(publisher === undefined || isPublisherName(publisher)
    ? { publisher }
    : { publisher: undefined, strangePublisher: publisher }),
  current: false,
  environmentTokens: false,
})

/** A service; warns of a publisher that is saved for it and is none. */
export function warnedOf(target: Target, { output }: Pick<Context, 'output'>): Target {
  if (target.kind === 'local' || target.strangePublisher === undefined) return target
  const name = target.name ?? target.baseUrl
  output.warn(
    styled`the publisher that is saved for ${name} is no domain name, and is not used: ${target.strangePublisher}; if you trust ${target.baseUrl}, sign in again: ${loginAs(name)}`,
  )
  return target
}

interface Address {
  readonly baseUrl: string
  readonly appId: string
  readonly addressFrom: AddressSource
}

const flagAddress = (globals: Globals, env: Env): Promise<Address> =>
  address(
    { url: globals.baseUrl ?? '', from: '--base-url' },
    { id: globals.appId ?? env.VATOM_APP_ID, from: '--app-id' },
    globals,
    env,
  )

const environmentAddress = (url: string, globals: Globals, env: Env): Promise<Address> =>
  address({ url, from: 'VATOM_BASE_URL' }, { id: env.VATOM_APP_ID, from: 'VATOM_APP_ID' }, globals, env)

export const isInsecure = (globals: Globals, env: Env): boolean =>
  globals.insecure === true || /^(1|true|yes)$/i.test(env.VATOM_INSECURE ?? '')

async function address(
  base: { url: string; from: AddressSource },
  app: { id: string | undefined; from: string },
  globals: Globals,
  env: Env,
): Promise<Address> {
  const baseUrl = checkBaseUrl(base.url, base.from, isInsecure(globals, env))
  if (!app.id)
    throw await unset(usage(`${base.from} needs ${app.from}`, `set ${app.from} to the application's id`), env)
  return { baseUrl, appId: checkAppId(app.id, app.from), addressFrom: base.from }
}

const tokenIn = (env: Env) => (['VATOM_ACCESS_TOKEN', 'VATOM_REFRESH_TOKEN'] as const).find((name) => env[name])

/** The variable whose token a run uses; undefined if its session is a saved one. */
export const tokenVariable = ({ environmentTokens }: NetworkTarget, env: Env) =>
  environmentTokens ? tokenIn(env) : undefined

/** Whether the environment gives the service and the tokens, so that nothing is read from disk or written to it. */
export const hasEnvironmentTokens = (env: Env): boolean => Boolean(env.VATOM_BASE_URL && tokenIn(env))

/**
 * The service at an address: with the token in the environment, if that is for it, else with the saved context of the same
 * service, if it is clear which one. A pipeline uses no session that somebody left on its machine, unless its context is named.
 */
async function given(address: Address, env: Env, readConfig: () => Promise<Config>): Promise<NetworkTarget> {
  const { baseUrl } = address
  const target = { kind: 'network', name: undefined, ...address, publisher: undefined, current: false } as const
  const variable = tokenIn(env)
  const meant = env.VATOM_BASE_URL
  if (variable && (!meant || normalized(meant) === baseUrl)) {
    const { publisherOf } = await import('../../client/session.ts')
    return { ...target, publisher: publisherOf(env[variable] ?? ''), environmentTokens: true }
  }
  const config = await readConfig()
  const there = contextsAt(address, config)
  const saved = there.find(([name]) => name === config.current) ?? there[0]
  const isClear = there.length < 2 || saved?.[0] === config.current
  if (saved && pipelineVariable(env) === undefined)
    return isClear
      ? fromSaved(...saved)
      : { ...target, environmentTokens: false, unclearSession: severalAt(address, there) }
  return {
    ...target,
    environmentTokens: false,
    ...(variable && meant && { otherToken: { variable, address: withoutUser(meant) } }),
    ...(saved && { unusedContext: saved[0] }),
  }
}

/** The failure of an address at which several contexts are, of which none is current: their sessions can be of several users. */
function severalAt({ baseUrl, addressFrom }: Address, there: ReturnType<typeof contextsAt>): Failure {
  const names = there.map(([name]) => name)
  return usage(
    `${names.length} contexts have the address ${baseUrl}: ${names.join(', ')}`,
    `name one of them in place of ${addressFrom}: --context ${names[0]}, or VATOM_CONTEXT=${names[0]}`,
  )
}

/** An address as messages show it. */
function withoutUser(url: string): string {
  const parsed = parsedUrl(url)
  return parsed ? normalized(`${parsed.origin}${parsed.pathname}`) : ''
}

/** Says of variables that are set and not used that VATOM_CONTEXT chooses the service; undefined where none is. */
export function ignoredText(globals: Globals, env: Env): string | undefined {
  const ignored = ignoredVariables(globals, env)
  if (ignored.length === 0) return undefined
  return `VATOM_CONTEXT chooses ${env.VATOM_CONTEXT}; set as well, and not used: ${ignored.join(', ')}`
}

/** Variables that are set and not used, because VATOM_CONTEXT chooses the service. */
export function ignoredVariables({ context, baseUrl }: Globals, env: Env): readonly string[] {
  if (context !== undefined || baseUrl !== undefined || !env.VATOM_CONTEXT) return []
  return serviceVariables(env).filter((name) => name !== 'VATOM_CONTEXT')
}

/** An address as it is compared and stored: no slash at its end, nor `/v1`, with which every path begins. */
export const normalized = (url: string) => (parsedUrl(url)?.href ?? url).replace(/\/+$/, '').replace(/\/+v1$/, '')

/** A value for a header, without white space around it: in pipelines, secrets often end with a line break. */
export function headerValue(value: string, source: string): string {
  const trimmed = value.trim()
  if (headerText.test(trimmed)) return trimmed
  throw usage(
    `${source} has white space or characters that are not allowed in a header`,
    'check where it comes from, and that it was copied whole',
  )
}

/** An application id as it is sent: no token, which the logs of services and gateways would then have. */
export function checkAppId(id: string, source: string): string {
  if (hasJwt(id)) throw usage(`${source} cannot be ${id}`)
  refuseQuotes(id, source)
  return headerValue(id, source)
}

/** Refuses names that no context can have: that of the built-in one, those that every object has, and what is no word. */
export function checkContextName(name: string, hint = 'choose another name, for example staging'): void {
  if (name === localName) throw usage(`${localName} is the built-in context`, hint)
  if (name in {}) throw usage(`${name} cannot be the name of a context`, hint)
  if (!/^[\w.:-]{1,260}$/.test(name))
    throw usage('A context name can only have letters from A to Z, digits and . _ : -, at most 260', hint)
}

/** The name of the context for a service where none is given: its host. Refuses a host that cannot be one. */
export function contextNameOf(service: Pick<NetworkTarget, 'baseUrl' | 'appId'>): string {
  const name = new URL(service.baseUrl).host.replace(/[[\]]/g, '')
  checkContextName(name, `the host would be its name; choose another: ${loginAs('NAME')} ${flagsOf(service)}`)
  return name
}

export const contextNames = (config: Config): string[] => [localName, ...Object.keys(config.contexts)]

/** A base URL as it is stored: http or https, without a slash or `/v1` at its end; plain http to other machines only if `insecure`. */
export function checkBaseUrl(url: string, source: string, insecure: boolean): string {
  if (url.trim() === '') throw usage(`${source} is empty`, `give the address of the service; ${ifVariable}`)
  refuseQuotes(withHiddenUser(url), source)
  const parsed = parsedUrl(url)
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw usage(`${source} must be an http or https address, not ${withHiddenUser(url)}`, completed(url))
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw usage(`${source} must not have a user, a query or a fragment`)
  // Messages and logs name a service by its address.
  if (hasJwt(url)) throw usage(`${source} cannot have ${url}`)
  if (parsed.protocol === 'http:' && !isLoopbackUrl(url) && !insecure)
    throw usage(
      `${source} would send tokens unencrypted to ${parsed.host}`,
      'use https, or give --insecure, in a pipeline VATOM_INSECURE=1',
    )
  return normalized(url)
}

/** What to write instead of an address without `http://` or `https://`. */
function completed(url: string): string {
  const host = url.replace(user, '')
  if (!parsedUrl(`http://${host}`)) return example
  const scheme = isLoopbackUrl(`http://${host}`) ? 'http' : 'https'
  const isMeant = /^[^/@]*[.:]/.test(url) && !url.includes('://')
  if (!isMeant && !/^localhost(\/|$)/.test(url)) return example
  return `did you mean ${withoutUser(`${scheme}://${host}`)}?`
}

const example = 'for example https://api.example.com'

/** Refuses a command that has no meaning on the `local` context. */
export async function refuseLocal(target: Target, command: string, env: Env): Promise<NetworkTarget> {
  if (target.kind === 'network') return target
  const failure = usage(
    `The local context needs no ${command}: it is always signed in`,
    'for a service elsewhere: vatom login --base-url URL --app-id ID',
  )
  throw target.chosen ? failure : await unset(failure, env)
}
