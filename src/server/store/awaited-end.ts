import { setMaxListeners } from 'node:events'

/** An end for which any number of requests may wait. */
export function awaitedEnd(): AbortController {
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  return end
}
