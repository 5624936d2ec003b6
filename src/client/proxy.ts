import type { Agent, Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { type Env, ProxyError, proxiesOf, shownProxy, variableOf } from './proxies.ts'

/**
 * Connections that go through the proxies of the environment; NO_PROXY names the hosts that are reached directly. Emits
 * `connect` for each tunnel. Where a proxy opens none, requests fail with ProxyError.
 */
export function proxyAgent(env: Env, settings: Agent.Options): Dispatcher {
  const proxies = proxiesOf(env)
  const agent: Dispatcher = new EnvHttpProxyAgent({
    ...settings,
    httpProxy: variableOf('HTTP_PROXY', env).value,
    httpsProxy: variableOf('HTTPS_PROXY', env).value,
    noProxy: variableOf('NO_PROXY', env).value,
    clientFactory: (url, options) => {
      const used = proxies.find(({ value }) => new URL(value).href === url.href)
      const name = used ? shownProxy(used) : url.host
      return tunnels(new Pool(url, options), name, () => agent.emit('connect', url, [agent]))
    },
  })
  return agent
}

/** Connections to a proxy. `connect` opens a tunnel; only undici's index adds it to dispatchers. */
const tunnels = (pool: Pool, proxy: string, onTunnel: () => void): Dispatcher =>
  Object.assign(pool, {
    connect: async (options: Dispatcher.ConnectOptions) => {
      const opened = await connect.call(pool, options).catch((cause: unknown) => {
        throw new ProxyError(proxy, undefined, { cause })
      })
      if (opened.statusCode !== 200) {
        opened.socket.on('error', () => {}).destroy()
        throw new ProxyError(proxy, opened.statusCode)
      }
      onTunnel()
      return opened
    },
  })
