import type { Kind } from '../../contract/values.ts'
import { finding, problemOf } from '../finding.ts'
import { type CheckedFile, checkFiles } from './check-files.ts'
import { findInputs } from './inputs.ts'
import type { LoadOptions } from './load.ts'
import type { Loaded } from './loaded.ts'
import type { ReadFile } from './read-file.ts'
import { readFiles } from './read-files.ts'
import { allProblems, sourcesOf } from './results.ts'

/** Kinds in an order in which a service takes them: each names only what stands before it. */
const inOrder: readonly Kind[] = ['template', 'variation', 'action', 'face']
/** What a document is taken for whose keys do not tell its kind. */
const unless: Kind = 'template'

/**
 * The documents of every kind in files, folders, patterns and standard input (`-`), checked together as
 * `loadDocuments` checks those of one kind, in an order in which a service takes them.
 */
export async function loadInOrder(inputs: readonly string[], options: Omit<LoadOptions, 'noun'>): Promise<Loaded> {
  const found = await findInputs(inputs, options.cwd)
  // A file that is named may hold documents of any kind, so none is missed in it.
  const inputFiles = found.files.map((input) => ({ ...input, named: false }))
  const files = (await readFiles(inputFiles, { ...options, noun: unless })).map(withoutNone)
  const byKind = inOrder.map((noun) => checkedOf(noun, files, options.publisher))
  const checked = files.map((_, index) => merged(byKind.flatMap((some) => some[index] ?? [])))
  const problems = allProblems(found.problems, checked)
  return {
    documents: byKind.flatMap((some) => some.flatMap(({ documents }) => documents)),
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

/** The documents of a kind; one that cannot be read counts once, as what it is taken for. */
const checkedOf = (noun: Kind, files: readonly ReadFile[], publisher: string | undefined): CheckedFile[] =>
  checkFiles(files, { noun, publisher }).map((file) => ({
    ...file,
    documents: file.documents.filter(({ kind }) => kind === noun),
  }))

/** A file as each kind shows it, with what is wrong with it as a whole once. */
function merged([first, ...others]: readonly CheckedFile[]): CheckedFile {
  if (first === undefined) throw new Error('a file is checked for every kind')
  return { ...first, documents: [first, ...others].flatMap(({ documents }) => documents) }
}
