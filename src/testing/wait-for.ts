import { inNextTurn } from '../server/store/next-turn.ts'

/** As they are when this module is loaded: a test may replace those of its process. */
const { setTimeout, clearTimeout } = globalThis

/** Milliseconds after which a test no longer waits. */
const defaultTimeout = 5000

/** What is waited for. */
interface Wanted<T> {
  readonly look: () => T | undefined
  /** Calls a function after changes; the returned one ends that. */
  readonly watch: (changed: () => void) => () => void
  readonly timeout: number | undefined
  /** Aborted when the service is reset or closed. */
  readonly era: AbortSignal
  /** What is missing as yet. */
  readonly missing: () => string
}

/** What a look finds, now or after a change. Throws when the time is over, or the service is reset or closed. */
export function waitFor<T>({ look, watch, timeout = defaultTimeout, era, missing }: Wanted<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      unwatch()
      clearTimeout(timer)
      era.removeEventListener('abort', onEnd)
    }
    const fail = (when: string) => {
      end()
      reject(new Error(`${when}: ${missing()}`))
    }
    const check = () => {
      const found = look()
      if (found === undefined) return
      end()
      resolve(found)
    }
    const onEnd = () => fail('the service was reset or closed')
    const timer = setTimeout(() => fail(`after ${timeout} ms`), timeout)
    const unwatch = watch(() => inNextTurn(check))
    era.addEventListener('abort', onEnd)
    check()
  })
}
