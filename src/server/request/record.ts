import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../environment.ts'

/** Puts a request into the journal as it is about to be answered; not the question that a browser asks before it. */
export function recordRequest(
  { clock, testing }: Environment,
  request: FastifyRequest,
  { statusCode, elapsedTime }: Pick<FastifyReply, 'elapsedTime'> & { readonly statusCode: number | null },
): void {
  if (request.method === 'OPTIONS') return
  testing.journal.add({
    at: clock(),
    method: request.method,
    url: request.url,
    status: statusCode,
    milliseconds: elapsedTime,
    requestId: request.id,
    operation: request.routeOptions.config.operation,
    error: request.failure,
    injected: request.injected,
  })
}
