import type { Agent, Dispatcher } from 'undici'
import connect from 'undici/lib/api/api-connect.js'
import buildConnector, { type connector } from 'undici/lib/core/connect.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { type Env, hasUser, isUnsupported, ProxyError, type ProxyVariable, proxiesOf, variableOf } from './proxies.ts'

/** Gets each proxy that is used. */
export type OnProxy = (proxy: ProxyVariable) => void

/**
 * Connections that go through the proxies of the environment, for addresses that are not reached directly. A proxy
 * at an `http://` address passes requests to such addresses on; for all others a tunnel is opened, which many proxies do
 * for port 443 alone. Emits `connect` for each connection on which requests can be sent. Where a proxy cannot be reached
 * or opens no tunnel, requests fail with ProxyError.
 */
export function proxyAgent(env: Env, settings: Agent.Options, onProxy: OnProxy): Dispatcher {
  const proxies = proxiesOf(env)
  const http = variableOf('HTTP_PROXY', env)
  const agent: Dispatcher = new EnvHttpProxyAgent({
    ...settings,
    httpProxy: addressOf(http),
    httpsProxy: addressOf(variableOf('HTTPS_PROXY', env)),
    noProxy: '',
    clientFactory: (url, options) => {
      const used = proxies.find((one) => new URL(addressOf(one)).href === url.href)
      return tunnels(new Pool(url, options), used ?? http, onProxy)
    },
    factory: (origin, options) => {
      const isPassedOn = isProxied(options) && [String(origin), http.value].every(isPlain)
      const pool = isPassedOn ? passingOn(http, String(origin), settings, onProxy) : new Pool(origin, options)
      return pool.on('connect', (url, targets) => agent.emit('connect', url, targets))
    },
  })
  return agent
}

/** Whether connections with these settings are made through a proxy: a tunnel is opened by a function. */
const isProxied = (settings: object) => 'connect' in settings && typeof settings.connect === 'function'

const isPlain = (address: string) => /^http:/i.test(address)

/** The address that undici gets for a proxy. It would try SOCKS, with a warning: such a proxy is never connected to. */
const addressOf = (proxy: ProxyVariable): string =>
  isUnsupported(proxy) ? proxy.value.replace(/^[a-z][\w+.-]*:/i, 'http:') : proxy.value

/** Connections to a proxy. `connect` opens a tunnel; only undici's index adds it to dispatchers. */
const tunnels = (pool: Pool, proxy: ProxyVariable, onProxy: OnProxy): Dispatcher =>
  Object.assign(pool, {
    connect: async (options: Dispatcher.ConnectOptions) => {
      if (isUnsupported(proxy)) throw new ProxyError(proxy, { cause: new Error(unsupported) })
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

const unsupported = 'only proxies with http:// or https:// are supported'

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
