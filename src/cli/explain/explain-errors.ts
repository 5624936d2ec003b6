import { errorCatalogue } from '../../contract/api/errors.ts'
import type { Context } from '../context.ts'
import { errorNameOf } from '../failure/translate.ts'
import { styled, wrapped } from '../io/text.ts'
import { factLines } from './explain-path.ts'

/** Prints what an error of the service means, by the code that reports have; false if there is none. */
export async function explainError(code: string, { output }: Context): Promise<boolean> {
  const name = errorNameOf(code)
  if (name === undefined) return false
  const { status, code: error, title } = errorCatalogue[name]
  await output.listing({ code, name, status, error, title }, () => [
    styled`${output.paint.bold(code)}`,
    ...wrapped(title, output.columns),
    '',
    ...factLines(
      [
        ['severity', 'error: the service refuses the request'],
        ['status', String(status)],
        ['error', `${error} (vatom help operations)`],
      ],
      output,
    ),
  ])
  return true
}
