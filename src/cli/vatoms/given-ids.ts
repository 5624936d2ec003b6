import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import { shortened } from '../../contract/schema/wording.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { readStdin } from '../io/stdin.ts'
import { isIdText } from '../kinds/short-id.ts'

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

/** The ids in a text: those of one JSON value, else of each line, which is JSON, a row, or ids with spaces between them. */
function idsIn(text: string): readonly string[] {
  const whole = isJson(text) ? parseJson(text) : undefined
  if (whole !== undefined) return idsOf(whole)
  return text.split('\n').flatMap((line, index) => (isJson(line) ? idsOf(parseJson(line)) : idsOfLine(line, index + 1)))
}

/** The ids before the first tab, behind which a row has other columns. The service says of a single word whether it is one. */
function idsOfLine(line: string, number: number): readonly string[] {
  const [column = ''] = line.split('\t')
  const words = column.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 && line.trim() !== '')
    throw usage(`Line ${number} of standard input has no id in its first column`, idsHint)
  const others = words.filter((word) => !isIdText(word))
  if (words.length < 2 || others.length === 0) return words
  throw usage(
    `Line ${number} of standard input has what is no id: ${nameList(others.map((word) => shortened(word)))}`,
    idsHint,
  )
}

const idsHint =
  'give ids with spaces or line breaks between them, or rows whose columns are separated by tabs, the id first'

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
