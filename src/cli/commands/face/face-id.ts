import { isUuid } from '../../../contract/api/user-token-formats.ts'
import { face } from '../../../contract/kinds/face.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { allOfPublisher } from '../../kinds/verbs/list.ts'

/** How the help of commands describes an id. */
export const faceIdHelp = "the face's id, or its beginning"

/** Whether a text can be the beginning of an id: at least four of its characters. */
export const isBeginning = (text: string): boolean => /^[\da-f]{4}[\da-f-]{0,31}$/i.test(text)

/** The ids that are meant, each once: the beginning of an id stands for the only face of the publisher that has it. */
export async function faceIds(given: readonly string[], context: Context): Promise<string[]> {
  if (given.every((one) => isUuid(one) || !isBeginning(one))) return [...new Set(given)]
  const ids = (await allOfPublisher(face, context)).map(({ id }) => String(id))
  return [...new Set(given.map((one) => meantId(one, ids)))]
}

function meantId(given: string, ids: readonly string[]): string {
  const found = isBeginning(given) ? ids.filter((id) => id.startsWith(given.toLowerCase())) : []
  if (found.length <= 1) return found[0] ?? given
  throw new Failure('ambiguous_id', exit.usage, `The ids of ${found.length} faces begin with ${given}`, {
    hint: 'give more characters of the id',
    issues: found.map((id) => ({ path: '', message: id })),
  })
}
