import { subscribe } from 'node:diagnostics_channel'

/**
 * `setImmediate`, `setTimeout` and `clearTimeout` as they are when this module is loaded: a test that calls a service in its
 * process may replace those of the process by ones that stand still until they are moved.
 */
export const { setImmediate: inNextTurn, setTimeout: setTimer, clearTimeout: clearTimer } = globalThis

/** Milliseconds, by the clock as it is then. */
const now = performance.now.bind(performance)

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve))

/** Connections that this process has accepted. */
let accepted = 0
subscribe('net.server.socket', () => {
  accepted++
})

/** Milliseconds that work waits for connections to be accepted, at most: it goes on, too, where somebody connects over and over. */
const patience = 50

/**
 * Says, once in each turn of the event loop, whether connections are likely to wait to be accepted: one was since the last
 * time. After some milliseconds of that it says no once.
 */
export function arrivals(): () => boolean {
  let before = accepted
  let since = Number.NaN
  return () => {
    const isQuiet = accepted === before
    before = accepted
    if (Number.isNaN(since)) since = now()
    if (!isQuiet && now() - since <= patience) return true
    since = Number.NaN
    return false
  }
}

/**
 * Calls back in the next turn of the event loop, or once no connection waits to be accepted: Node accepts one in each turn,
 * so that behind work which takes milliseconds of each a hundred would wait for a second.
 */
export function afterArrivals(callback: () => void, began = now()): void {
  const before = accepted
  inNextTurn(() => {
    if (accepted === before || now() - began > patience) callback()
    else afterArrivals(callback, began)
  })
}
