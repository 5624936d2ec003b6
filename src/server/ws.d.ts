/** The part of ws that the service uses, and that its tests connect with. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { ClientRequest, IncomingMessage } from 'node:http'
  import type { Duplex } from 'node:stream'

  export class WebSocket extends EventEmitter {
    constructor(
      url: string,
      options?: {
        readonly origin?: string | undefined
        readonly autoPong?: boolean
        readonly headers?: Readonly<Record<string, string>>
      },
    )
    readonly bufferedAmount: number
    readonly readyState: number
    readonly OPEN: number
    send(data: string | Uint8Array, options?: { readonly fin: boolean }): void
    ping(data?: string, mask?: boolean, sent?: (error?: Error) => void): void
    pong(data?: Buffer): void
    close(code?: number, reason?: string): void
    /** Ends the connection at once. */
    terminate(): void
    /** Stops reading, or goes on. */
    pause(): void
    resume(): void
    on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): this
    on(event: 'ping', listener: (data: Buffer) => void): this
    on(event: 'pong' | 'open', listener: () => void): this
    on(event: 'close', listener: (code: number, reason: Buffer) => void): this
    on(event: 'unexpected-response', listener: (request: ClientRequest, response: IncomingMessage) => void): this
    on(event: 'error', listener: (error: Error) => void): this
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: {
      readonly noServer: true
      readonly clientTracking: false
      readonly perMessageDeflate: false
      readonly autoPong: false
      readonly allowSynchronousEvents: false
      readonly maxPayload: number
      readonly maxFragments: number
      readonly maxBufferedChunks: number
      /** Milliseconds after which a connection that is being closed is ended. */
      readonly closeTimeout: number
    })
    /** Answers a request for a WebSocket that it can carry out, else emits `wsClientError`. */
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (socket: WebSocket) => void): void
    on(event: 'wsClientError', listener: (error: Error, socket: Duplex) => void): this
  }
}
