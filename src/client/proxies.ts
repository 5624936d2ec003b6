import { isLoopbackUrl } from '../contract/api/loopback.ts'
import { parsedUrl, portOf } from '../contract/schema/parsed-url.ts'

/** Variables of the environment by their names. */
export type Env = Readonly<Record<string, string | undefined>>

/** A variable that names a proxy, or what needs none, as it is spelled. */
export interface ProxyVariable {
  readonly variable: string
  readonly value: string
}

/** The proxies of the environment for `http://` and `https://` addresses. */
export const proxiesOf = (env: Env): ProxyVariable[] =>
  (['HTTP_PROXY', 'HTTPS_PROXY'] as const).map((name) => variableOf(name, env)).filter(({ value }) => value !== '')

/** The proxy through which an address is reached, or why through none. */
export type Way = { readonly proxy: ProxyVariable } | { readonly direct: string }

/** How an address is reached: directly on this machine, where NO_PROXY names its host, and where no proxy is for its kind. */
export function wayTo(url: string, env: Env): Way {
  if (isLoopbackUrl(url)) return { direct: 'it is on this machine' }
  const without = variableOf('NO_PROXY', env)
  const entry = entryFor(url, without.value)
  if (entry !== undefined) return { direct: `${without.variable} has ${entry}` }
  const [http, https] = [variableOf('HTTP_PROXY', env), variableOf('HTTPS_PROXY', env)]
  const isForHttps = /^https:/i.test(url) && env[https.variable] !== undefined
  const proxy = isForHttps ? https : http
  if (proxy.value !== '') return { proxy }
  return { direct: `${proxy.variable} is ${env[proxy.variable] === undefined ? 'not set' : 'empty'}` }
}

/**
 * The entry of NO_PROXY that names the host of an address, with the hosts below it, and on its port if it has one; `*` names
 * all. Networks, such as 10.0.0.0/8, are not looked at.
 */
function entryFor(url: string, without: string): string | undefined {
  const address = new URL(url)
  const usedPort = portOf(address)
  return without.split(/[,\s]/).find((entry) => {
    if (entry === '*') return true
    const [, named = entry, namedPort = usedPort] = /^(.+):(\d+)$/.exec(entry) ?? []
    const host = named.replace(/^\*?\./, '').toLowerCase()
    return host !== '' && Number(namedPort) === Number(usedPort) && `.${address.hostname}`.endsWith(`.${host}`)
  })
}

/**
 * A variable about proxies as the environment spells it, one in small letters first; its value is empty if there is none. An
 * address without a scheme is one with `http://`, as for other tools.
 */
export function variableOf(name: 'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY', env: Env): ProxyVariable {
  const small = name.toLowerCase()
  const variable = env[small] === undefined ? name : small
  const value = env[variable]?.trim() ?? ''
  const isWhole = name === 'NO_PROXY' || value === '' || /^[a-z][\w+.-]*:\/\//i.test(value)
  return { variable, value: decodable(isWhole ? value : `http://${value}`) }
}

/** An address whose user and password can be decoded: a percent sign that begins no code is one itself, as for other tools. */
function decodable(address: string): string {
  const user = /^[a-z][\w+.-]*:\/\/([^/?#]*)@/i.exec(address)?.[1] ?? ''
  const coded = user.replace(/%(?![\da-f]{2})/gi, '%25')
  return address.replace(user, () => (isDecodable(coded) ? coded : user.replaceAll('%', '%25')))
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The address of a proxy without its user and password, and its variable. */
export const shownProxy = ({ variable, value }: ProxyVariable): string => {
  const { protocol, host } = new URL(value)
  return `${protocol}//${host} (${variable})`
}

/** Whether a proxy cannot be used: it has no address, a path or the like, or is of another kind, such as SOCKS. */
export function isFaulty({ value }: ProxyVariable): boolean {
  const url = parsedUrl(value)
  return url === undefined || !/^https?:$/.test(url.protocol) || `${url.pathname}${url.search}${url.hash}` !== '/'
}

/** What is wrong with the proxies of the environment that cannot be used, and what to do; undefined where all can be. */
export function proxyFault(env: Env): { readonly message: string; readonly remedy: string } | undefined {
  const faulty = proxiesOf(env).filter(isFaulty)
  if (faulty.length === 0) return undefined
  const variables = faulty.map(({ variable }) => variable).join(' and ')
  const [is, it] =
    faulty.length === 1
      ? ['is not the address of an http or https proxy', 'it']
      : ['are not addresses of http or https proxies', 'them']
  const encoded = faulty.some(({ value }) => value.includes('@')) ? signs : ''
  return { message: `${variables} ${is}`, remedy: `write ${it} as http://HOST:PORT${encoded}; or unset ${it}` }
}

const signs = '; in a user and a password, write / ? # @ as %2F %3F %23 %40'

/** Whether the address of a proxy has a user. */
export const hasUser = ({ value }: ProxyVariable): boolean => new URL(value).username !== ''

interface ProxyErrorOptions extends ErrorOptions {
  /** What the proxy answered, if it could be reached. */
  readonly status?: number
}

/** A proxy opened no connection to the service, or did not pass a request on. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly status: number | undefined

  constructor(
    readonly proxy: ProxyVariable,
    { status, ...options }: ProxyErrorOptions,
  ) {
    super(`the proxy ${shownProxy(proxy)} opens no connection`, options)
    this.status = status
  }
}
