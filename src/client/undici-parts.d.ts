/** The parts of undici that one call needs: its index loads a mock server, caches and a WebSocket besides. */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'
  export default Agent
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import { ProxyAgent } from 'undici'
  export default ProxyAgent
}
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  /** Its own declaration leaves out that a body may be an iterable, as its documentation says. */
  type Options = Omit<Dispatcher.RequestOptions, 'body'> & {
    readonly body: string | AsyncIterable<Uint8Array> | null
  }
  export default function request(this: Dispatcher, options: Options): Promise<Dispatcher.ResponseData>
}
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'
  export default function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>
}
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'
  export type connector = buildConnector.connector
  export default buildConnector
}
