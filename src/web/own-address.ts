/**
 * Whether what a request named is a path of a server. Clients may name anything, such as `m://x/v1/user`: right behind the
 * origin `http://dev.co`, that is an address of dev.com.
 */
export const isOwnPath = (path: string, origin: string): boolean =>
  path.startsWith('/') && new URL(origin + path).origin === origin

/** The address of a path of a server. Throws where it would be one of another. */
export function ownAddress(path: string, origin: string): string {
  if (isOwnPath(path, origin)) return origin + path
  throw new Error(`${path} is no path of ${origin}: a path begins with /`)
}
