import { creationOrder } from '../../contract/kinds/kinds.ts'
import type { KindName } from '../../contract/values.ts'
import { finding, problemOf } from '../finding.ts'
import { checkFiles } from './check-files.ts'
import { findInputs } from './inputs.ts'
import type { LoadOptions } from './load.ts'
import type { Loaded } from './loaded.ts'
import type { ReadFile } from './read-file.ts'
import { readFiles } from './read-files.ts'
import { allProblems, sourcesOf } from './results.ts'

/** What a document is taken for whose keys do not tell its kind. */
const unless: KindName = 'template'

/**
 * The documents of every kind in files, folders, patterns and standard input (`-`), checked together as
 * `loadDocuments` checks those of one kind, in an order in which a service takes them.
 */
export async function loadInOrder(inputs: readonly string[], options: Omit<LoadOptions, 'noun'>): Promise<Loaded> {
  const found = await findInputs(inputs, options.cwd)
  const files = (await readFiles(found.files, { ...options, noun: unless })).map(withoutNone)
  const checked = checkFiles(files, { publisher: options.publisher })
  const documents = checked.flatMap((file) => file.documents)
  const problems = allProblems(found.problems, checked)
  return {
    documents: creationOrder.flatMap(({ name }) => documents.filter(({ kind }) => kind === name)),
    problems,
    others: 0,
    sources: sourcesOf(checked, problems),
  }
}

/** A file without any document is an error: it was meant to hold some. */
function withoutNone(file: ReadFile): ReadFile {
  if (file.problems.length > 0 || file.candidates.length > 0) return file
  return { ...file, problems: [problemOf(file.source, finding('no-document', 'holds no document'))] }
}
