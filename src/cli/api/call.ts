import type { RawRequest } from '../../client/raw.ts'
import type { WireResponse } from '../../contract/api/wire.ts'
import { pageSessionHeader } from '../../contract/page-session.ts'
import { printableLine } from '../../contract/printable.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { withoutCommands } from '../../documents/report/log-commands.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { assigned, typed } from '../io/option-values.ts'
import { shellLine } from '../io/text.ts'
import { wirePath, withQuery } from './path.ts'

export interface ApiOptions {
  readonly rawField?: readonly string[]
  readonly field?: readonly string[]
  readonly input?: string
  readonly include?: boolean
}

/**
 * Sends a request and prints its answer, whatever its status. Fails where the answer is an error, or no JSON although its
 * path is one of the API.
 */
export async function api(method: string, given: string, options: ApiOptions, context: Context): Promise<void> {
  const fields = fieldsFrom(options)
  const inQuery = options.input !== undefined || method === 'GET' || method === 'DELETE'
  if (options.input !== undefined && method === 'GET')
    throw usage('A GET has no body', 'leave --input out, or use POST')
  const path = withQuery(await wirePath(given, context), inQuery ? fields : {})
  if (path.startsWith('/__vatom/') && (await context.target()).kind === 'local') {
    const [{ onLocalService }, { fieldWithoutSecret, pathWithoutSecrets }] = await Promise.all([
      import('../service/running.ts'),
      import('../dry-run/secrets.ts'),
    ])
    const words = [method, pathWithoutSecrets(given), ...wordsOf(options, fieldWithoutSecret)]
    throw usage(
      'The local context answers /__vatom/ only over the network',
      onLocalService(shellLine('vatom api', words), context.dirs),
    )
  }
  const body = await bodyOf(options.input, inQuery ? {} : fields, context)
  const { raw } = await context.connect()
  const request = { method, path, ...(body !== undefined && { body }) }
  const answer = await raw(request)
  const failure = await failureOf(request, answer, context)
  if (context.output.json) await printJson(answer, { include: options.include === true, failure }, context)
  else await print(answer, options.include === true, context)
  if (failure) throw (await import('../failure/report.ts')).shownFailure(failure, context.output)
}

/** Options as they are given on a command line, with fields as they are shown. */
const wordsOf = (
  { rawField = [], field = [], input, include }: ApiOptions,
  shown: (field: string) => string,
): string[] => [
  ...rawField.flatMap((text) => ['-f', shown(text)]),
  ...field.flatMap((text) => ['-F', shown(text)]),
  ...(input === undefined ? [] : ['--input', input]),
  ...(include ? ['-i'] : []),
]

/** Fields of a request, each given once: `-f` as strings, `-F` as numbers, booleans or null where they are written so. */
const fieldsFrom = ({ rawField = [], field = [] }: ApiOptions): Record<string, unknown> =>
  assigned(
    [
      { flag: '-f', texts: rawField, read: (text) => text },
      { flag: '-F', texts: field, read: (text) => typed(text, 'give it as a text, with -f') },
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
  const head = include
    ? [`HTTP/1.1 ${status}`, ...Object.entries(shown(headers)).map(([name, value]) => `${name}: ${value}`), '']
    : []
  if (!output.isTTY) return output.raw([...head.map(printableLine), body].join('\n'))
  await output.listing(null, () => [...head, ...readable(body).split('\n')])
}

/** Prints one JSON document: the body as it came, with --include beside status and headers; else why there is none. */
async function printJson(
  { status, headers, body }: WireResponse,
  { include, failure }: { readonly include: boolean; readonly failure: Failure | undefined },
  { host, output }: Context,
): Promise<void> {
  const value = parseJson(body)
  if (value === undefined && failure) {
    const { failureJson } = await import('../failure/report.ts')
    return output.document({ error: failureJson(failure, output) })
  }
  if (include) return output.document({ status, headers: shown(headers), body: value ?? null })
  if (value === undefined) return output.document(null)
  output.raw(withoutCommands(host.env)(output.isTTY ? `${readable(body)}\n` : body))
}

/** Headers with which somebody else could sign in. */
const secret = ['set-cookie', 'authorization', 'authentication', 'proxy-authorization', pageSessionHeader]

const shown = (headers: WireResponse['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secret.includes(name) ? '(hidden)' : value]))

/** JSON with indentation, any other text as it is. */
const readable = (body: string): string => JSON.stringify(parseJson(body), null, 2) ?? body

/** Why an answer is a failure; undefined for a success. */
async function failureOf(
  request: RawRequest,
  answer: WireResponse,
  { host, output }: Context,
): Promise<Failure | undefined> {
  const [{ foreignSuccess, rawError, rowOf }, { fromService, toFailure }] = await Promise.all([
    import('../../client/raw.ts'),
    import('../failure/translate.ts'),
  ])
  const refusal = rawError(answer)
  if (refusal?.kind === 'unknownPath' && rowOf({ ...request, path: `/v1${request.path}` }))
    return fromService(refusal, `did you mean v1${request.path}? all paths: vatom help operations`)
  const error = refusal ?? foreignSuccess(request, answer)
  if (error) return toFailure(error, host)
  const isText = answer.body !== '' && parseJson(answer.body) === undefined
  return output.json && isText ? noJson(request) : undefined
}

const noJson = ({ method, path }: RawRequest) =>
  new Failure('no_json', exit.refused, `${method} ${path} did not answer JSON`, {
    hint: 'to print the answer as it is, leave --json out',
  })
