import { kindOf } from '../../contract/kinds/kinds.ts'
import { childrenOf } from '../../contract/rules/catalog.ts'
import { queriedNames } from '../../contract/rules/query-names.ts'
import type { KindName } from '../../contract/values.ts'
import { checkFiles } from '../load/check-files.ts'
import { type Candidate, ownCandidates, type ReadFile, readFile } from '../load/read-file.ts'
import { namesIn } from '../load/related.ts'
import type { FileFacts } from './validation-cache.ts'

/** All that needs the parser and the schemas, in one module that is loaded only when a file must be parsed. */
export { checkFiles, readFile }

/** The names that connect a file with the other files of a run. */
export function factsOf(file: ReadFile, noun: KindName | undefined): FileFacts {
  const own = ownCandidates(file, noun)
  return {
    documents: own.map(({ kind, name }) => ({ kind, name })),
    others: file.candidates.length - own.length,
    templates: namesIn(file.candidates, 'template'),
    variations: namesIn(file.candidates, 'variation'),
    families: familiesOf(file.candidates),
    concerns: familiesOf(own),
    children: [...new Set(own.flatMap(({ value }) => childrenOf(value).map(({ name }) => name)))],
    queried: [...new Set(own.flatMap(({ value }) => queriedNames(value).map(({ name }) => name)))],
  }
}

const familiesOf = (candidates: readonly Candidate[]): string[] => {
  const names = candidates.flatMap(({ kind, value }) => kindOf(kind).templateOf(value) ?? [])
  return [...new Set(names)]
}
