import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A path that no route has. */
const nowhere = '/*'

interface Refused {
  readonly url: string | undefined
  readonly error: Error
}

/**
 * The requests whose paths cannot be decoded. The web server would answer them without running any hook, so they are routed
 * again under a path that no route has, where all hooks run; they are still refused for the error of their own path.
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
