import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type Caller, made, testService } from './service.ts'

/** A message of the service. */
export interface Told {
  readonly msg_type: string
  readonly user_id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every shape
  readonly payload: any
}

interface Connecting {
  readonly origin?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the client answers pings; true. */
  readonly autoPong?: boolean
}

/** A client's WebSocket to an address. */
export function dial(address: string, options: Connecting = {}) {
  const socket = new WebSocket(address, options)
  onTestFinished(() => socket.terminate())
  const told: Told[] = []
  let waiting: (() => void) | undefined
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.on('message', (data) => {
    told.push(JSON.parse(data.toString()))
    waiting?.()
  })
  const arrived = async (count: number) => {
    while (told.length < count)
      await new Promise<void>((resolve) => {
        waiting = resolve
      })
  }
  return {
    socket,
    /** The code that the connection was closed with. */
    closed,
    /** The next messages. */
    next: async (count = 1): Promise<Told[]> => {
      await arrived(count)
      return told.splice(0, count)
    },
    /** What has come and was not looked at. */
    rest: (): Told[] => told.splice(0),
    /** Resolves when the service has read what was sent to it, with the messages that came before. */
    settled: async (): Promise<Told[]> => {
      await new Promise<void>((resolve) => {
        socket.once('pong', resolve)
        socket.ping()
      })
      return told.splice(0)
    },
  }
}

/** What a request for a WebSocket is refused with. */
export function refusal(address: string, options: Connecting = {}): Promise<{ status: number; text: string }> {
  const socket = new WebSocket(address, options)
  onTestFinished(() => socket.terminate())
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('the connection was taken')))
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
  })
}

type Options = Parameters<typeof testService>[0]

/** A service that listens, and connections of its users. */
export async function hall(options: Options = {}) {
  const world = await testService(options)
  const { wsUrl, baseUrl, port } = await world.service.listen({ host: '127.0.0.1', port: 0 })
  const address = (token: string, app = 'local') => `${wsUrl}?app_id=${app}&token=${token}`
  /** A connection of a user's, which was greeted. */
  const connected = async ({ token }: Caller, how: Parameters<typeof dial>[1] = {}) => {
    const dialled = dial(address(token), how)
    expect(await dialled.next()).toMatchObject([{ msg_type: 'info' }])
    return dialled
  }
  return { ...world, wsUrl, baseUrl, port, address, connected }
}

/** The command of a client that shows a part of the map. */
export const monitor = JSON.stringify({
  type: 'command',
  cmd: 'monitor',
  payload: { top_left: { lat: 1, lon: 2 }, bottom_right: { lat: 0, lon: 3 } },
})

/** One user writes to another. */
export const says = (from: Caller, to: Caller, message: string) =>
  made(from, ['POST', '/v1/user/message', { id: to.id, message }])
