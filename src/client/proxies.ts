/** Variables of the environment by their names. */
export type Env = Readonly<Record<string, string | undefined>>

/** A proxy, and the variable that names it, as it is spelled. */
export interface UsedProxy {
  readonly variable: string
  readonly value: string
}

/** The proxies of the environment for `http://` and `https://` addresses; a variable in small letters wins. */
export const proxiesOf = (env: Env): UsedProxy[] =>
  ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name) => {
    const variable = env[name.toLowerCase()] === undefined ? name : name.toLowerCase()
    const value = env[variable]
    return value ? [{ variable, value }] : []
  })

/** The address of a proxy without its user and password, and its variable. */
export const shownProxy = ({ variable, value }: UsedProxy): string => {
  const { protocol, host } = new URL(value)
  return `${protocol}//${host} (${variable})`
}

/** A proxy opened no connection to the service: it answered with a status, or could not be reached. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'

  constructor(
    /** Its address and variable, without a password. */
    readonly proxy: string,
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(`the proxy ${proxy} opens no connection`, options)
  }
}
