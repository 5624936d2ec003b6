import { errorCatalogue, errorNames } from '../../contract/api/errors.ts'
import type { Context } from '../context.ts'
import { snakeCase } from '../failure/codes.ts'
import { styled, wrapped } from '../io/text.ts'
import { factLines } from './explain-path.ts'

/** Prints what an error of the service means, by its code in reports, or by its name or number; false if there is none. */
export async function explainError(given: string, { output }: Context): Promise<boolean> {
  const name = errorNames.find((one) => [snakeCase(one), one, String(errorCatalogue[one].code)].includes(given))
  if (name === undefined) return false
  const code = snakeCase(name)
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
