import { isLoopbackUrl } from '../contract/api/loopback.ts'

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

/**
 * Whether an address is reached without a proxy, whatever NO_PROXY says: one of this machine, and an `https://` one where
 * HTTPS_PROXY is empty, also if HTTP_PROXY is set.
 */
export function isReachedDirectly(url: string, env: Env): boolean {
  if (isLoopbackUrl(url) || proxiesOf(env).length === 0) return true
  const { variable, value } = variableOf('HTTPS_PROXY', env)
  return /^https:/i.test(url) && env[variable] !== undefined && value === ''
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

/** Whether a proxy is of a kind that is not supported, such as SOCKS. */
export const isUnsupported = ({ value }: ProxyVariable): boolean => /^(?!https?:)[a-z][\w+.-]*:\/\//i.test(value)

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
