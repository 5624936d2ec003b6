import { errorCatalogue, errorNames } from '../../contract/api/errors.ts'
import { didYouMean } from '../../contract/schema/suggest.ts'
import type { Context } from '../context.ts'
import { snakeCase } from '../failure/codes.ts'
import { tableLines } from '../io/table.ts'
import { defined } from '../io/text.ts'
import { failureRows } from './explain-failures.ts'

/** Every code that the error of a JSON result can have. */
const codeRows = [
  ...failureRows,
  ...errorNames.map((name) => ({
    code: snakeCase(name),
    source: 'service' as const,
    title: errorCatalogue[name].title,
    remedy: null,
  })),
]

/** The codes that are known by name. */
export const codeNames = codeRows.map(({ code }): string => code)

const indent = 27

/** Prints every code of an error, and what it means. */
export async function explainCodes({ output }: Context): Promise<void> {
  await output.listing(codeRows, () =>
    output.isTTY
      ? codeRows.flatMap(({ code, title }) => defined(code, title, indent, output.columns))
      : tableLines(
          [],
          codeRows.map(({ code, source, title, remedy }) => [code, source, title, remedy ?? '']),
          output,
        ),
  )
}

/** The hint at the code that a name nearly is. Only codes have underscores, besides fields. */
export const nearCode = (name: string): string | undefined =>
  name.includes('_') ? didYouMean(name, codeNames) : undefined
