import type { ServerResponse } from 'node:http'
import type { Watched } from './catalog.ts'

/** Milliseconds between two looks at the files; more for catalogs that take long to look at. */
const pause = 200
const share = 10

/**
 * Tells pages the version of the catalog, at first and when it has changed. Files are looked at again and again while a
 * page is open: this notices a change however a program saves, and on every file system.
 */
export class Events {
  readonly #watched: Watched
  readonly #pages = new Set<ServerResponse>()
  #timer: NodeJS.Timeout | undefined
  #version: string | undefined

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** Keeps a response open for events. */
  add(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    response.write(this.#version === undefined ? ':\n\n' : event(this.#version))
    response.on('close', () => this.#pages.delete(response))
    this.#pages.add(response)
    this.#timer ??= setTimeout(() => this.#look())
  }

  async #look(): Promise<void> {
    const begun = performance.now()
    const version = await this.#watched.version().catch(() => this.#version)
    if (version !== undefined && version !== this.#version) {
      this.#version = version
      for (const page of this.#pages) page.write(event(version))
    }
    if (this.#timer === undefined) return
    const wait = Math.max(pause, share * (performance.now() - begun))
    this.#timer = this.#pages.size > 0 ? setTimeout(() => this.#look(), wait) : undefined
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const page of this.#pages) page.end()
  }
}

const event = (version: string) => `data: ${version}\n\n`
