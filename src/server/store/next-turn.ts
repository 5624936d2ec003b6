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

/** Resolves in the next turn, or once no connection waits to be accepted: for work that takes milliseconds of each turn. */
export const quietTurn = (): Promise<void> => new Promise((resolve) => afterArrivals(resolve))

/** Connections that this process has accepted. */
let accepted = 0
subscribe('net.server.socket', () => {
  accepted++
})

/** Connections that are accepted before work goes on, at most: it goes on, too, where somebody connects over and over. */
const mostAccepted = 128
/** Milliseconds that it waits, at most: turns of the event loop may be long all the same. */
const patience = 250

/**
 * Says, once in each turn of the event loop, whether connections are likely to wait to be accepted: one was since the last
 * time. After so many times in a row, or so long, it says no once.
 */
export function arrivals(): () => boolean {
  let before = accepted
  let wait: Wait | undefined
  return () => {
    const isQuiet = accepted === before
    if (!isQuiet) wait ??= newWait(before)
    before = accepted
    if (wait && !isQuiet && goesOn(wait)) return true
    wait = undefined
    return false
  }
}

/** How long somebody waits for connections to be accepted. */
interface Wait {
  readonly began: number
  readonly before: number
}

const newWait = (before = accepted): Wait => ({ began: now(), before })

/** Whether to wait on. */
const goesOn = ({ began, before }: Wait): boolean => accepted - before <= mostAccepted && now() - began <= patience

/**
 * Calls back in the next turn of the event loop, or once no connection waits to be accepted: Node accepts one in each turn,
 * so that behind work which takes milliseconds of each a hundred would wait for a second.
 */
export function afterArrivals(callback: () => void, wait = newWait()): void {
  const before = accepted
  inNextTurn(() => {
    if (accepted > before && goesOn(wait)) afterArrivals(callback, wait)
    else callback()
  })
}
