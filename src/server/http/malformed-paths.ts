import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A path that no route has. */
const nowhere = '/*'

interface Refused {
  readonly url: string | undefined
  readonly error: Error
}

/**
 * The requests that the web server answers beside all hooks, as their paths cannot be decoded. Their hooks run as those of a
 * path that is for nothing, which is what they then have to be refused for.
 */
export class MalformedPaths {
  readonly #refused = new WeakMap<IncomingMessage, Refused>()

  /** Begins again with a request that is refused with an error. */
  begin(app: FastifyInstance, request: IncomingMessage, answer: ServerResponse, error: Error): void {
    this.#refused.set(request, { url: request.url, error })
    request.url = nowhere
    app.routing(request, answer)
  }

  /** Gives these requests the paths that they came with, before any other hook. */
  restoreIn(app: FastifyInstance): void {
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      const refused = this.#refused.get(raw)
      if (refused?.url !== undefined) raw.url = refused.url
      done()
    })
  }

  /** What a request is refused with, if its path cannot be decoded. */
  errorOf(request: IncomingMessage): Error | undefined {
    return this.#refused.get(request)?.error
  }
}
