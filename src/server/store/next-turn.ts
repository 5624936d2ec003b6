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

/**
 * Connections that are accepted before work goes on, at most: as many as often arrive at once, and fewer each time where
 * somebody connects over and over.
 */
const mostAccepted = { atFirst: 128, later: 32 } as const
/** Milliseconds that it waits, at most: turns of the event loop may be long all the same. */
const patience = 250
/** Milliseconds of work that begins then, at most: as many as it has waited. */
const mostBegun = 50
/** Milliseconds that a piece of work takes, if nothing else is known. */
const shortPiece = 0.5

/** Milliseconds of work that may begin although connections arrive. */
let allowed = 0
/** Until when they count as those who connect over and over, as some work has waited in vain. */
let lastingUntil = Number.NEGATIVE_INFINITY

/** Since when a piece of work waits for connections to be accepted, and how many had been. */
interface Wait {
  readonly began: number
  readonly before: number
}

const newWait = (before = accepted): Wait => ({ began: now(), before })

/** Whether work of so many milliseconds waits on where a connection was accepted in the last turn. */
function waitsOn({ began, before }: Wait, length: number): boolean {
  const time = now()
  const isLasting = time <= lastingUntil
  if (!isLasting) allowed = 0
  if (allowed <= 0) {
    const most = isLasting ? mostAccepted.later : mostAccepted.atFirst
    if (accepted - before <= most && time - began <= patience) return true
    allowed = Math.min(time - began, mostBegun)
    lastingUntil = time + patience
  }
  allowed -= length
  return false
}

/**
 * Says, once in each turn of the event loop, whether work of so many milliseconds is to wait for connections that are likely
 * to be there: one was accepted since the last time.
 */
export function arrivals(length = shortPiece): () => boolean {
  let before = accepted
  let wait: Wait | undefined
  return () => {
    const isQuiet = accepted === before
    if (!isQuiet) wait ??= newWait(before)
    before = accepted
    if (wait && !isQuiet && waitsOn(wait, length)) return true
    wait = undefined
    return false
  }
}

/**
 * Calls back in the next turn of the event loop, or once no connection waits to be accepted: Node accepts one in each turn,
 * so that behind work which takes milliseconds of each a hundred would wait for a second. Where connections arrive over and
 * over, the work of all goes on now and then, as much of it as takes as long as it has waited.
 */
export function afterArrivals(callback: () => void, length = shortPiece): void {
  const hasArrivals = arrivals(length)
  const look = () => {
    if (hasArrivals()) inNextTurn(look)
    else callback()
  }
  inNextTurn(look)
}

/** Resolves in the next turn, or once no connection waits to be accepted: for work of so many milliseconds of each turn. */
export const quietTurn = (length: number): Promise<void> => new Promise((resolve) => afterArrivals(resolve, length))
