import type { WireResponse } from '../../contract/api/wire.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { printableLine } from '../../documents/report/printable.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { assigned, typed } from '../io/option-values.ts'
import { shellWord } from '../io/text.ts'
import { wirePath, withQuery } from './path.ts'

export interface ApiOptions {
  readonly rawField?: readonly string[]
  readonly field?: readonly string[]
  readonly input?: string
  readonly include?: boolean
}

/** Sends a request and prints its answer, whatever its status. */
export async function api(method: string, given: string, options: ApiOptions, context: Context): Promise<void> {
  const fields = fieldsFrom(options)
  const inQuery = options.input !== undefined || method === 'GET' || method === 'DELETE'
  if (options.input !== undefined && method === 'GET')
    throw usage('A GET has no body', 'leave --input out, or use POST')
  const path = withQuery(await wirePath(given, context), inQuery ? fields : {})
  if (path.startsWith('/__vatom/') && (await context.target()).kind === 'local') {
    const { onLocalService } = await import('../service/running.ts')
    throw usage(
      'The local context answers /__vatom/ only over the network',
      onLocalService(`vatom api ${method} ${shellWord(given)}`, context.dirs),
    )
  }
  const body = await bodyOf(options.input, inQuery ? {} : fields, context)
  const { raw } = await context.connect()
  const answer = await raw({ method, path, ...(body !== undefined && { body }) })
  await print(answer, options.include === true, context)
  await settle(answer, context)
}

/** Fields of a request, each given once: `-f` as strings, `-F` as numbers, booleans or null where they are written so. */
const fieldsFrom = ({ rawField = [], field = [] }: ApiOptions): Record<string, unknown> =>
  assigned(
    [
      { flag: '-f', texts: rawField, read: (text) => text },
      { flag: '-F', texts: field, read: typed },
    ],
    '--input',
  )

async function bodyOf(
  input: string | undefined,
  fields: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<string | undefined> {
  if (input === undefined) return Object.keys(fields).length > 0 ? JSON.stringify(fields) : undefined
  const { readText } = await import('../io/text-files.ts')
  return readText(input, context)
}

async function print({ status, headers, body }: WireResponse, include: boolean, { output }: Context): Promise<void> {
  const head = include ? [`HTTP/1.1 ${status}`, ...headerLines(headers), ''] : []
  if (!output.isTTY) return output.raw([...head.map(printableLine), body].join('\n'))
  const lines = [...head, ...readable(body).split('\n')]
  if (output.json) output.raw(`${lines.join('\n')}\n`)
  else await output.listing(null, () => lines)
}

/** Headers with which somebody else could sign in. */
const secret = ['set-cookie', 'authorization', 'authentication', 'proxy-authorization']

const headerLines = (headers: WireResponse['headers']) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${secret.includes(name) ? '(hidden)' : value}`)

/** JSON with indentation, any other text as it is. */
const readable = (body: string): string => JSON.stringify(parseJson(body), null, 2) ?? body

/** Fails where the answer is an error; its body was printed already. */
async function settle(answer: WireResponse, { output }: Context): Promise<void> {
  const { rawError } = await import('../../client/raw.ts')
  const error = rawError(answer)
  if (error === undefined) return
  const [{ fromService }, { failureLines }, { Reported }] = await Promise.all([
    import('../failure/translate.ts'),
    import('../failure/report.ts'),
    import('../failure/failure.ts'),
  ])
  const failure = fromService(error)
  output.complain(failureLines(failure, output))
  throw new Reported(failure.exitCode)
}
