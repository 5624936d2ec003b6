import type { Agent, Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import buildConnector, { type connector } from 'undici/lib/core/connect.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
import { hasUser, ProxyError, type ProxyVariable } from './proxies.ts'

/** Gets each proxy that is used. */
export type OnProxy = (proxy: ProxyVariable) => void

/**
 * Connections that go through a proxy. One at an `http://` address passes requests to such addresses on; for all others a
 * tunnel is opened, which many proxies do for port 443 alone. Emits `connect` for each connection on which requests can be
 * sent. Where the proxy cannot be reached or opens no tunnel, requests fail with ProxyError.
 */
export function proxyAgent(proxy: ProxyVariable, settings: Agent.Options, onProxy: OnProxy): Dispatcher {
  const agent: Dispatcher = new ProxyAgent({
    ...settings,
    uri: proxy.value,
    clientFactory: (url, options) => tunnels(new Pool(url, options), proxy, onProxy),
    factory: (origin, options) => {
      const isPassedOn = [String(origin), proxy.value].every(isPlain)
      const pool = isPassedOn ? passingOn(proxy, String(origin), settings, onProxy) : new Pool(origin, options)
      return pool.on('connect', (url, targets) => agent.emit('connect', url, targets))
    },
  })
  return agent
}

const isPlain = (address: string) => /^http:/i.test(address)

/** Connections to a proxy. `connect` opens a tunnel; only undici's index adds it to dispatchers. */
const tunnels = (pool: Pool, proxy: ProxyVariable, onProxy: OnProxy): Dispatcher =>
  Object.assign(pool, {
    connect: async (options: Dispatcher.ConnectOptions) => {
      onProxy(proxy)
      const opened = await connect.call(pool, options).catch((cause: unknown) => {
        throw new ProxyError(proxy, { cause })
      })
      if (opened.statusCode !== 200) {
        opened.socket.on('error', () => {}).destroy()
        throw new ProxyError(proxy, { status: opened.statusCode })
      }
      return opened
    },
  })

/** Connections to a proxy that passes requests on to a service: each has the whole address instead of its path. */
function passingOn(proxy: ProxyVariable, service: string, settings: Agent.Options, onProxy: OnProxy): Pool {
  const pool = new Pool(new URL(proxy.value).origin, { ...settings, connect: connecting(proxy, settings) })
  const dispatch = pool.dispatch.bind(pool)
  return Object.assign(pool, {
    dispatch: ({ path, headers, ...options }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
      onProxy(proxy)
      return dispatch({ ...options, path: service + path, headers: { ...headers, ...signIn(proxy) } }, handler)
    },
  })
}

/** Connects to a proxy itself. */
function connecting(proxy: ProxyVariable, { connect: given }: Agent.Options): connector {
  const reach = buildConnector(typeof given === 'object' ? given : {})
  return (options, callback) =>
    reach(options, (cause, socket) =>
      cause ? callback(new ProxyError(proxy, { cause }), null) : callback(null, socket),
    )
}

/** The header with the user and the password of a proxy, if it has a user. */
function signIn(proxy: ProxyVariable): Readonly<Record<string, string>> {
  if (!hasUser(proxy)) return {}
  const { username, password } = new URL(proxy.value)
  const user = [username, password].map(decodeURIComponent).join(':')
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
}
