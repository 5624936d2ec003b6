import type { Agent, Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import {
  type Env,
  isUnsupported,
  ProxyError,
  type ProxyVariable,
  proxiesOf,
  shownProxy,
  variableOf,
} from './proxies.ts'

/**
 * Connections that go through the proxies of the environment; NO_PROXY names the hosts that are reached directly. Emits
 * `connect` for each tunnel. Where a proxy opens none, requests fail with ProxyError. `onProxy` gets each proxy that is
 * asked for a tunnel, as it is shown.
 */
export function proxyAgent(env: Env, settings: Agent.Options, onProxy: (shown: string) => void): Dispatcher {
  const proxies = proxiesOf(env)
  const agent: Dispatcher = new EnvHttpProxyAgent({
    ...settings,
    httpProxy: addressOf(variableOf('HTTP_PROXY', env)),
    httpsProxy: addressOf(variableOf('HTTPS_PROXY', env)),
    noProxy: variableOf('NO_PROXY', env).value,
    clientFactory: (url, options) => {
      const used = proxies.find((one) => new URL(addressOf(one)).href === url.href)
      return tunnels(new Pool(url, options), used, {
        onProxy,
        onTunnel: () => agent.emit('connect', url, [agent]),
      })
    },
  })
  return agent
}

/** The address that undici gets for a proxy. It would try SOCKS, with a warning: such a proxy is never connected to. */
const addressOf = (proxy: ProxyVariable): string =>
  isUnsupported(proxy) ? proxy.value.replace(/^[a-z][\w+.-]*:/i, 'http:') : proxy.value

interface Listeners {
  /** Gets a proxy that is asked for a tunnel. */
  readonly onProxy: (shown: string) => void
  readonly onTunnel: () => void
}

/** Connections to a proxy. `connect` opens a tunnel; only undici's index adds it to dispatchers. */
const tunnels = (pool: Pool, proxy: ProxyVariable | undefined, { onProxy, onTunnel }: Listeners): Dispatcher => {
  const shown = proxy ? shownProxy(proxy) : ''
  const failed = (status?: number, cause?: unknown) =>
    new ProxyError(shown, status, proxy !== undefined && hasUser(proxy), { cause })
  return Object.assign(pool, {
    connect: async (options: Dispatcher.ConnectOptions) => {
      if (proxy && isUnsupported(proxy)) throw failed(undefined, new Error(unsupported))
      onProxy(shown)
      const opened = await connect.call(pool, options).catch((cause: unknown) => {
        throw failed(undefined, cause)
      })
      if (opened.statusCode !== 200) {
        opened.socket.on('error', () => {}).destroy()
        throw failed(opened.statusCode)
      }
      onTunnel()
      return opened
    },
  })
}

const unsupported = 'only proxies with http:// or https:// are supported'

const hasUser = ({ value }: ProxyVariable) => new URL(value).username !== ''
