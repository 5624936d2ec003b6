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

/** A variable about proxies as the environment spells it, one in small letters first; its value is empty if there is none. */
export function variableOf(name: 'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY', env: Env): ProxyVariable {
  const small = name.toLowerCase()
  const variable = env[small] === undefined ? name : small
  return { variable, value: env[variable] ?? '' }
}

/** The address of a proxy without its user and password, and its variable. */
export const shownProxy = ({ variable, value }: ProxyVariable): string => {
  const { protocol, host } = new URL(value)
  return `${protocol}//${host} (${variable})`
}

/** Whether a proxy is of a kind that is not supported, such as SOCKS. */
export const isUnsupported = ({ value }: ProxyVariable): boolean => /^(?!https?:)[a-z][\w+.-]*:\/\//i.test(value)

/** A proxy opened no connection to the service: it answered with a status, or could not be reached. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'

  constructor(
    /** Its address and variable, without a password. */
    readonly proxy: string,
    readonly status: number | undefined,
    /** Whether its variable has a user. */
    readonly hasUser: boolean,
    options?: ErrorOptions,
  ) {
    super(`the proxy ${proxy} opens no connection`, options)
  }
}
