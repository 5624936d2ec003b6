import { Module } from 'node:module'
import { WebSocket } from 'ws'

/** What a page keeps between visits. */
class PageStorage {
  [key: string]: unknown
  getItem(key: string): unknown {
    return this[key] ?? null
  }
  setItem(key: string, value: unknown): void {
    this[key] = String(value)
  }
  removeItem(key: string): void {
    delete this[key]
  }
}

/**
 * Gives this process what the SDK takes from the browser, before it is loaded with `require`; what it says on the
 * console is left out of the results.
 */
export function actAsBrowser(require: NodeJS.Require): void {
  const silent = () => {}
  Object.assign(console, { log: silent, debug: silent, warn: silent, error: silent })
  Object.assign(globalThis, { WebSocket, window: globalThis, localStorage: new PageStorage() })
  const place = require.resolve('cross-fetch')
  require.cache[place] = Object.assign(new Module(place), { exports: fetch, loaded: true })
}
