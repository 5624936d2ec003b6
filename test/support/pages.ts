import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Files of documentation, below the package's root. */
export const pageFiles: readonly string[] = [
  'README.md',
  '.github/CONTRIBUTING.md',
  ...readdirSync(join(root, 'src/docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `src/docs/${name}`),
]

export const pageText = (file: string): string => readFileSync(join(root, file), 'utf8')

/** A block of code with what its mark says of it, such as `session`; undefined without a mark. */
export interface CodeBlock {
  readonly mark: string | undefined
  readonly language: string
  readonly code: string
}

/** The blocks of code of a page, in order. */
export const codeBlocks = (text: string): CodeBlock[] =>
  [...text.matchAll(/(?:^<!-- ([^\n]*) -->\n\n?)?^```(\w*)\n(.*?)^```$/gms)].map(
    ([, mark, language = '', code = '']) => ({ mark, language, code }),
  )
