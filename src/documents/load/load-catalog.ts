import type { Facts } from '../../contract/rules/rule.ts'
import { checkedDocument, duplicateProblems } from './checked-document.ts'
import { findInputs } from './inputs.ts'
import type { LoadedDocument, Problem } from './loaded.ts'
import type { ReadOptions } from './read.ts'
import type { ReadFile } from './read-file.ts'
import { readFiles } from './read-files.ts'
import { catalogOf } from './related.ts'

export interface CatalogOptions extends ReadOptions {
  readonly cwd: string
  readonly publisher?: string | undefined
}

/** Documents of every kind, and the errors in them. */
export interface LoadedCatalog {
  readonly documents: readonly LoadedDocument[]
  readonly problems: readonly Problem[]
  /** The files that were read, with their text. */
  readonly files: readonly ReadFile[]
  readonly sources: ReadonlyMap<string, string>
}

/** All documents of files, folders, patterns and standard input (`-`), whatever their kind; errors alone are told. */
export async function loadCatalog(inputs: readonly string[], options: CatalogOptions): Promise<LoadedCatalog> {
  const found = await findInputs(inputs, options.cwd)
  const files = await readFiles(found.files, { ...options, noun: 'template' })
  const candidates = files.flatMap((file) => file.candidates)
  const facts: Facts = options.publisher === undefined ? {} : { publisher: options.publisher }
  const related = catalogOf(candidates, facts)
  const documents = candidates.map((candidate) => checkedDocument(candidate, related))
  const problems = [
    ...found.problems,
    ...files.flatMap((file) => file.problems),
    ...documents.flatMap((document) => document.problems),
    ...duplicateProblems(documents).values(),
  ].filter(({ severity }) => severity === 'error')
  return { documents, problems, files, sources: new Map(files.map(({ source }) => [source.file, source.text])) }
}
