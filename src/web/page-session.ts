import { pageKeyHeader, pageSessionHeader } from '../contract/page-session.ts'
import { ownAddress } from './own-address.ts'

/** Where the token of this browser is stored; pages of other hosts and ports, and sandboxed frames, do not reach it. */
const stored = pageSessionHeader

/** Calls the server of the page as the session of this browser. An answer that begins a session has it stored. */
export async function fetchOwn(path: string, request: RequestInit = {}): Promise<Response> {
  const headers = new Headers(request.headers)
  const token = localStorage.getItem(stored)
  if (token !== null) headers.set(pageSessionHeader, token)
  // To no other server: by itself, the path `//example.com/` is an address there, and redirects would take the header along.
  const response = await fetch(ownAddress(path, location.origin), { ...request, headers, redirect: 'error' })
  const begun = response.headers.get(pageSessionHeader)
  if (begun !== null) localStorage.setItem(stored, begun)
  return response
}

/** Begins a session with the link that was opened, if one was. A used one changes nothing: this browser may have used it. */
export async function useLink(path: string): Promise<void> {
  const key = new URLSearchParams(location.search).get('key')
  if (key === null) return
  await fetchOwn(path, { method: 'POST', headers: { [pageKeyHeader]: key } })
  history.replaceState(history.state, '', location.pathname + location.hash)
}

/** Forgets the session of this browser. */
export const forgetSession = (): void => localStorage.removeItem(stored)
