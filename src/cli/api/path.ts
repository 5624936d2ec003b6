import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { fullName } from '../service/publisher.ts'

/** A path below the base URL as it is sent: with one slash in front, `$publisher` expanded, and percent-encoded. */
export async function wirePath(given: string, context: Context): Promise<string> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given))
    throw usage('The path must not be a whole address', 'give what comes after the base URL, such as v1/user')
  const path = `/${given.replace(/^\/+/, '')}`
  if (!placeholder.test(path)) return encoded(path)
  const publisher = await fullName('$publisher', context)
  return encoded(path.replace(placeholder, () => publisher))
}

const placeholder = /\$publisher(?=::|[/?&]|$)/g

/** Encodes characters that a path must not have; what is encoded already stays. */
function encoded(path: string): string {
  try {
    return path.replace(/[^\x21-\x7e]|["<>\\^`{|}#]/gu, encodeURIComponent)
  } catch {
    throw usage('The path is not valid Unicode')
  }
}

/** A path with fields added to its query. */
export function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) query.append(name, String(value))
  return query.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
}
