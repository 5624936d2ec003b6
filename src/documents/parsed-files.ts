import { at } from '../contract/path.ts'
import type { Kind } from '../contract/values.ts'
import { checkFiles, ownCandidates } from './check-files.ts'
import { type ReadFile, readFile } from './file.ts'
import type { FileFacts } from './validated.ts'

/** Everything that needs the parser and the schemas, in one module that is loaded when a file must be parsed. */
export { checkFiles, readFile }

/** What other files of a run need to know of one. */
export function factsOf(file: ReadFile, noun: Kind): FileFacts {
  const own = ownCandidates(file, noun)
  const needsTemplate = noun === 'variation' || noun === 'face'
  const references = needsTemplate ? own.map(({ value }) => at(value, 'template')) : []
  return {
    names: own.map(({ name }) => name),
    others: file.candidates.length - own.length,
    templates: file.candidates.filter(({ kind }) => kind === 'template').map(({ name }) => name),
    references: [...new Set(references.filter((name) => typeof name === 'string'))].sort(),
  }
}
