import { socketPath } from '../../../contract/api/socket.ts'
import { at } from '../../../contract/schema/path.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { apiAs } from './api.ts'
import { currentSession } from './session.ts'

/** A message of the service to a user. */
export interface LiveEvent {
  readonly type: string
  readonly payload: unknown
}

/** Milliseconds before a lost connection is opened again; twice as many after each failure. */
const wait = { first: 500, most: 15_000 }

/** Receives the events of a user over the service's WebSocket. The returned function ends that. */
export function followEvents(user: string, receive: (event: LiveEvent) => void, again: () => void): () => void {
  let socket: WebSocket | undefined
  let isOver = false
  let pause = wait.first
  let timer: ReturnType<typeof setTimeout> | undefined
  const { app_id } = currentSession()
  const later = () => {
    if (isOver) return
    timer = setTimeout(() => void connect(), pause)
    pause = Math.min(2 * pause, wait.most)
  }
  const connect = async () => {
    const token = await apiAs(user, app_id)
      .accessToken()
      .catch(() => undefined)
    if (isOver) return
    if (token === undefined) return later()
    const query = new URLSearchParams({ app_id, token })
    socket = new WebSocket(`ws://${location.host}${socketPath}?${query}`)
    socket.addEventListener('open', () => {
      // What happened while there was no connection is read anew.
      if (pause !== wait.first) again()
      pause = wait.first
    })
    socket.addEventListener('message', ({ data }) => {
      const message = parseJson(String(data))
      receive({ type: String(at(message, 'msg_type')), payload: at(message, 'payload') })
    })
    socket.addEventListener('close', later)
  }
  void connect()
  return () => {
    isOver = true
    clearTimeout(timer)
    socket?.close()
  }
}
