import type { Agent, Dispatcher } from 'undici'
import api from 'undici/lib/api/index.js'
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'

// A proxy opens its tunnels with `connect`, which only undici's index adds to dispatchers.
Object.assign(DispatcherClass.prototype, api)

/** Connections that go through the proxies of the environment; NO_PROXY names the hosts that are reached directly. */
export const proxyAgent = (env: Readonly<Record<string, string | undefined>>, settings: Agent.Options): Dispatcher =>
  new EnvHttpProxyAgent({
    ...settings,
    httpProxy: env.http_proxy ?? env.HTTP_PROXY,
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY,
    noProxy: env.no_proxy ?? env.NO_PROXY,
  })
