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

/** Gives this process what the SDK takes from the browser; its console is left out of the results. */
export function actAsBrowser(): void {
  const silent = () => {}
  Object.assign(console, { log: silent, debug: silent, warn: silent, error: silent })
  Object.assign(globalThis, { WebSocket, window: globalThis, localStorage: new PageStorage() })
}
