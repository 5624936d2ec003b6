/**
 * `setImmediate` as it is when this module is loaded: a test that calls a service in its process may replace that of the
 * process by one that stands still until it is moved.
 */
export const inNextTurn: typeof setImmediate = globalThis.setImmediate

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve))
