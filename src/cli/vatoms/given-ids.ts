import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { readStdin } from '../io/stdin.ts'

/** Ids as they are given; `-` stands for those on standard input, as lists print them. */
export async function givenIds(given: readonly string[], { host }: Pick<Context, 'host'>): Promise<string[]> {
  if (!given.includes('-')) return [...given]
  const bytes = await readStdin(host, limits.answer)
  if (bytes.length > limits.answer)
    throw usage(`Standard input has more than ${limits.answer / 1_048_576} MB`, 'give the ids alone, or in parts')
  const read = idsIn(Buffer.from(bytes).toString('utf8'))
  if (read.length === 0) throw usage('There is no id on standard input', 'for example: vatom inventory | vatom show -')
  return given.flatMap((one) => (one === '-' ? read : [one]))
}

/** The ids in a text: those of one JSON value, else of each line, which is JSON, or a row whose first field is the id. */
function idsIn(text: string): readonly string[] {
  const whole = isJson(text) ? parseJson(text) : undefined
  if (whole !== undefined) return idsOf(whole)
  return text.split('\n').flatMap((line) => (isJson(line) ? idsOf(parseJson(line)) : (/^\S+/.exec(line)?.[0] ?? [])))
}

const isJson = (text: string) => /^\s*[[{]/.test(text)

/** The ids of a vAtom, of several, or of an answer that has them. Throws a usage error for anything else. */
function idsOf(value: unknown): readonly string[] {
  const lists = ['vatoms', 'results', 'ids'].map((key) => at(value, key))
  const entries = [value, ...lists].find(Array.isArray) ?? [value]
  return entries.map((entry: unknown) => {
    const id = typeof entry === 'string' ? entry : at(entry, 'id')
    if (typeof id === 'string') return id
    throw usage(
      'Standard input has JSON without ids of vAtoms',
      'give ids, one a line, or what a list prints: vatom inventory --ndjson | vatom show -',
    )
  })
}
