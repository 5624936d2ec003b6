import { exit, Failure } from '../failure/failure.ts'

/** Whether a text can be an id or the beginning of one: at least four of its characters. */
export const isIdText = (text: string): boolean => /^[\da-f]{4}[\da-f-]{0,32}$/i.test(text)

/** The same for a beginning alone. */
export const isBeginning = (text: string): boolean => isIdText(text) && text.length < 36

/**
 * The ids that are meant, each once: a beginning stands for the only id that has it. All ids are read only if one may be a
 * beginning; `what` they are of, as `faces`.
 */
export async function meantIds(
  given: readonly string[],
  what: string,
  readIds: () => Promise<readonly string[]>,
): Promise<string[]> {
  if (!given.some(isBeginning)) return [...new Set(given)]
  const ids = await readIds()
  return [...new Set(given.map((one) => meantId(one, what, ids)))]
}

/** The only one of the ids that has a beginning; what is none, or none of theirs, stays as it is. */
export function meantId(given: string, what: string, ids: readonly string[]): string {
  const found = isBeginning(given) ? ids.filter((id) => id.startsWith(given.toLowerCase())) : []
  if (found.length <= 1) return found[0] ?? given
  throw new Failure('ambiguous_id', exit.usage, `The ids of ${found.length} ${what} begin with ${given}`, {
    hint: 'give more characters of the id',
    issues: found.map((id) => ({ path: '', message: id })),
  })
}
