import type { Kind } from '../../contract/kinds/kind.ts'
import { creationOrder } from '../../contract/kinds/kinds.ts'
import type { KindName } from '../../contract/values.ts'
import { checkFiles } from './check-files.ts'
import { findInputs } from './inputs.ts'
import type { Loaded } from './loaded.ts'
import { type ReadOptions, readInput } from './read.ts'
import { type ReadFile, readFile } from './read-file.ts'
import { allProblems, sourcesOf } from './results.ts'

export interface LoadOptions extends ReadOptions {
  readonly cwd: string
  /** The kind of document that is wanted, others are left alone; all are without one. */
  readonly noun?: KindName | undefined
  /** The publisher's domain name; without it `$publisher` stays and names of others are not noticed. */
  readonly publisher?: string | undefined
  /** The verb that does with documents of another kind what is done with those of the noun. */
  readonly verbOf?: ((kind: Kind) => string) | undefined
  /** Rules whose warnings are errors. */
  readonly errors?: readonly string[] | undefined
}

/**
 * The documents in files, folders, patterns and standard input (`-`), file by file, checked as far as they go without
 * the service: everything that is wrong with all of them, at its place. Never throws for anything a file holds.
 */
export async function loadDocuments(inputs: readonly string[], options: LoadOptions): Promise<Loaded> {
  const found = await findInputs(inputs, options.cwd)
  const files: ReadFile[] = []
  for (const input of found.files) files.push(readFile(input, await readInput(input, options), options))
  const checked = checkFiles(files, options)
  const problems = allProblems(found.problems, checked)
  return {
    documents: checked.flatMap(({ documents }) => documents),
    problems,
    others: checked.reduce((sum, { others }) => sum + others, 0),
    sources: sourcesOf(checked, problems),
    files,
  }
}

/** The documents of every kind, in an order in which a service takes them. */
export async function loadInOrder(inputs: readonly string[], options: Omit<LoadOptions, 'noun'>): Promise<Loaded> {
  const loaded = await loadDocuments(inputs, options)
  const documents = creationOrder.flatMap(({ name }) => loaded.documents.filter(({ kind }) => kind === name))
  return { ...loaded, documents }
}
