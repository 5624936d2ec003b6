import { subscribe } from 'node:diagnostics_channel'

/**
 * `setImmediate`, `setTimeout` and `clearTimeout` as they are when this module is loaded: a test that calls a service in its
 * process may replace those of the process by ones that stand still until they are moved.
 */
export const { setImmediate: inNextTurn, setTimeout: setTimer, clearTimeout: clearTimer } = globalThis

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve))

/** Connections that this process has accepted. */
let accepted = 0
subscribe('net.server.socket', () => {
  accepted++
})

/** Connections that are accepted before work goes on, at most: it goes on, too, where somebody connects over and over. */
const mostAccepted = 128

/**
 * Says, once in each turn of the event loop, whether connections are likely to wait to be accepted: one was since the last
 * time. After so many times in a row it says no.
 */
export function arrivals(): () => boolean {
  let before = accepted
  let times = 0
  return () => {
    times = accepted === before || times === mostAccepted ? 0 : times + 1
    before = accepted
    return times > 0
  }
}

/**
 * Calls back in the next turn of the event loop, or once no connection waits to be accepted: Node accepts one in each turn,
 * so that behind work which takes milliseconds of each a hundred would wait for a second.
 */
export function afterArrivals(callback: () => void, left = mostAccepted): void {
  const before = accepted
  inNextTurn(() => {
    if (accepted === before || left === 0) callback()
    else afterArrivals(callback, left - 1)
  })
}
