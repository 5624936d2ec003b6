import { endOf, isAccessToken, isRefreshToken } from '../../client/session.ts'
import { inQuotes } from './quoted.ts'

/** Why no service renews a session by a token, as far as the token says it. */
export function refreshFault(token: string, now: Date): string | undefined {
  if (isAccessToken(token)) return 'it is an access token, where a refresh token is needed'
  const end = endOf(token)
  return textFault(token) ?? (end && end <= now ? `it ended at ${end.toISOString()}` : undefined)
}

/** Why no service takes a token for an access token, and what to do, as far as the token says it. */
export function accessFault(token: string): { readonly why: string; readonly remedy: string } | undefined {
  if (isRefreshToken(token))
    return {
      why: 'it is a refresh token, where an access token is needed',
      remedy: 'put it into VATOM_REFRESH_TOKEN, and remove VATOM_ACCESS_TOKEN',
    }
  const why = textFault(token)
  return why === undefined ? undefined : { why, remedy: 'put the token itself into VATOM_ACCESS_TOKEN, or remove it' }
}

/** What other tools leave in the place of a secret, by how it looks. */
const looks: readonly (readonly [RegExp, string])[] = [
  [/^["'`]/, `it is ${inQuotes}`],
  [/\*{3}|^\W*(?:masked|redacted|hidden)\W*$/i, 'it is what a pipeline shows in the place of a secret, not the secret'],
  [/^\$/, 'it begins with $, as the name of a variable whose value was not put in its place'],
  [/^(?:~?\/|[a-z]:\\)/i, 'it looks like the path of a file, where the text in the file is needed'],
]

/** Why a text is no token at all. */
const textFault = (text: string): string | undefined => looks.find(([look]) => look.test(text))?.[1]
