import { pageKeyHeader, pageSessionHeader } from '../../src/contract/page-session.ts'

/** Uses a link at the path of sessions, as its page does; the token of the session, null where none begins. */
export async function tokenOf(link: string, session: string): Promise<string | null> {
  const key = new URL(link).searchParams.get('key') ?? ''
  const answer = await fetch(new URL(session, link), { method: 'POST', headers: { [pageKeyHeader]: key } })
  return answer.headers.get(pageSessionHeader)
}

/** The headers of requests of a page that has used a link. */
export const sessionOf = async (link: string, session: string): Promise<Record<string, string>> => ({
  [pageSessionHeader]: String(await tokenOf(link, session)),
})
