import { type MonitorCommand, socketPath } from '../../../contract/api/socket.ts'
import { at } from '../../../contract/schema/path.ts'
import { messageOf, parseJson } from '../../../contract/unknown-values.ts'
import { apiAs } from './api.ts'
import { currentSession } from './session.ts'

/** A message of the service to a user. */
export interface LiveEvent {
  readonly type: string
  readonly payload: unknown
}

/** Milliseconds before a lost connection is opened again; twice as many after each failure. */
const wait = { first: 500, most: 15_000 }

/** What is done with the events of a user. */
interface Follower {
  readonly receive: (event: LiveEvent) => void
  /** The connection is there again: what happened meanwhile is to be read anew. */
  readonly again?: () => void
  /** The connection is open, or why it is not. */
  readonly changed?: (state: 'open' | Lost) => void
}

/** Why a connection ended, as the service says; empty where it does not say. */
interface Lost {
  readonly reason: string
}

/** The events of a user, until it is closed. */
export interface LiveFeed {
  /** Asks for the events of a part of the map, also after the connection was lost. */
  readonly watch: (region: MonitorCommand['payload']) => void
  readonly close: () => void
}

/** Receives the events of a user over the service's WebSocket, which is opened again when it is lost. */
export function followEvents(user: string, { receive, again, changed }: Follower): LiveFeed {
  let socket: WebSocket | undefined
  let isOver = false
  let pause = wait.first
  let timer: ReturnType<typeof setTimeout> | undefined
  let command: MonitorCommand | undefined
  let wasOpen = true
  const { app_id } = currentSession()
  const later = () => {
    if (isOver) return
    timer = setTimeout(() => void connect(), pause)
    pause = Math.min(2 * pause, wait.most)
  }
  const ask = () => {
    if (command && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command))
  }
  const connect = async () => {
    const { session } = apiAs(user, app_id)
    try {
      // Whoever signs out with a token ends it before its time; a refused connection does not say so.
      open(await (wasOpen ? session.accessToken() : session.renew()))
    } catch (error) {
      if (!isOver) changed?.({ reason: messageOf(error) })
      later()
    }
  }
  const open = (token: string) => {
    if (isOver) return
    wasOpen = false
    const query = new URLSearchParams({ app_id, token })
    socket = new WebSocket(`ws://${location.host}${socketPath}?${query}`)
    socket.addEventListener('open', () => {
      // What happened while there was no connection is read anew.
      if (pause !== wait.first) again?.()
      pause = wait.first
      wasOpen = true
      changed?.('open')
      ask()
    })
    socket.addEventListener('message', ({ data }) => {
      const message = parseJson(String(data))
      receive({ type: String(at(message, 'msg_type')), payload: at(message, 'payload') })
    })
    socket.addEventListener('close', ({ reason }) => {
      if (!isOver) changed?.({ reason })
      later()
    })
  }
  void connect()
  return {
    watch: (payload) => {
      command = { type: 'command', cmd: 'monitor', payload }
      ask()
    },
    close: () => {
      isOver = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}
