import type { IncomingHttpHeaders } from 'node:http'

/**
 * Settles what a request says about the entity tag: 412 or 304, or undefined where the file is to be sent. What is
 * settled is taken out of the headers; dates and ranges stay. RFC 9110, 13.2.2.
 */
export function settledByTag(headers: IncomingHttpHeaders, etag: string): 304 | 412 | undefined {
  const match = taken(headers, 'if-match')
  if (match !== undefined) {
    if (!names(match, etag)) return 412
    delete headers['if-unmodified-since']
  }
  const noneMatch = taken(headers, 'if-none-match')
  if (noneMatch !== undefined) {
    if (names(noneMatch.replaceAll('W/', ''), etag)) return 304
    delete headers['if-modified-since']
  }
  const range = taken(headers, 'if-range')
  if (range?.includes('"')) {
    if (range !== etag) delete headers.range
  } else if (range !== undefined) headers['if-range'] = range
  return undefined
}

function taken(headers: IncomingHttpHeaders, name: 'if-match' | 'if-none-match' | 'if-range'): string | undefined {
  const value = headers[name]
  delete headers[name]
  return value === undefined ? undefined : String(value)
}

/** Whether a list of entity tags has one, or is `*`. */
const names = (list: string, etag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim() === etag)
