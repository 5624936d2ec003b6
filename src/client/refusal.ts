import type * as z from 'zod/v4'
import { ErrorBody } from '../contract/api/envelope.ts'
import type { WireResponse } from '../contract/api/wire.ts'
import { limits } from '../contract/limits.ts'
import { plural, shortened } from '../contract/schema/wording.ts'
import { parseJson } from '../contract/unknown-values.ts'

type Refusal = z.output<ReturnType<typeof ErrorBody>>

/** What the body of a refusal says, without what is too long for anybody to read. */
export function refusalOf({ body }: Pick<WireResponse, 'body'>): Refusal {
  const said = ErrorBody().safeParse(parseJson(body)).data
  if (said === undefined) return {}
  const { request_id, message, issues } = said
  return {
    ...said,
    request_id: request_id && legible(request_id),
    message: message && legible(message),
    issues: issues && legibleIssues(issues),
  }
}

const legible = (text: string) => shortened(text, limits.refusal)

/** A service reports `limits.issues` at most, and one that counts the rest. */
function legibleIssues(issues: NonNullable<Refusal['issues']>) {
  const shown = issues.slice(0, limits.issues + 1)
  const rest = issues.length - shown.length
  return [
    ...shown.map(({ path, message }) => ({ path: legible(path), message: legible(message) })),
    ...(rest > 0 ? [{ path: '', message: `and ${plural(rest, 'more problem')}` }] : []),
  ]
}
