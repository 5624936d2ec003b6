import { randomUUID } from 'node:crypto'

/** The header by which a caller names a request, and the service repeats its name. */
export const requestIdHeader = 'x-request-id'

/** The id of a request: the caller's, if that is one plain word, so that the logs of both name it alike. */
export const requestIdOf = (headers: Readonly<Record<string, string | string[] | undefined>>): string => {
  const given = headers[requestIdHeader]
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}
