/**
 * `setImmediate`, `setTimeout` and `clearTimeout` as they are when this module is loaded: a test that calls a service in its
 * process may replace those of the process by ones that stand still until they are moved.
 */
export const { setImmediate: inNextTurn, setTimeout: setTimer, clearTimeout: clearTimer } = globalThis

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve))
