import type { Kind } from '../../contract/kinds/kind.ts'
import type { KindName } from '../../contract/values.ts'
import { type CheckedFile, checkFiles } from './check-files.ts'
import { findInputs } from './inputs.ts'
import type { Loaded } from './loaded.ts'
import type { ReadOptions } from './read.ts'
import { readFiles } from './read-files.ts'
import { allProblems, sourcesOf } from './results.ts'

export interface LoadOptions extends ReadOptions {
  readonly cwd: string
  /** The kind of document that is wanted; others are left alone. */
  readonly noun: KindName
  /** The publisher's domain name; without it `$publisher` stays and foreign names are not noticed. */
  readonly publisher?: string | undefined
  /** The verb that does with documents of another kind what is done with those of the noun. */
  readonly verbOf?: ((kind: Kind) => string) | undefined
}

/**
 * The documents of a kind in files, folders, patterns and standard input (`-`), checked as far as they go without the
 * service: everything that is wrong with all of them, at its place. Never throws for anything a file holds.
 */
export async function loadDocuments(inputs: readonly string[], options: LoadOptions): Promise<Loaded> {
  const found = await findInputs(inputs, options.cwd)
  const checked: readonly CheckedFile[] = checkFiles(await readFiles(found.files, options), options)
  const problems = allProblems(found.problems, checked)
  return {
    documents: checked.flatMap(({ documents }) => documents),
    problems,
    others: checked.reduce((sum, { others }) => sum + others, 0),
    sources: sourcesOf(checked, problems),
  }
}
