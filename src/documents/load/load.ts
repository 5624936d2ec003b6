import { creationOrder } from '../../contract/kinds/kinds.ts'
import { type CheckOptions, checkFiles } from './check-files.ts'
import { findDocuments, ifWhole } from './inputs.ts'
import type { Loaded } from './loaded.ts'
import { withMissingFiles } from './missing-files.ts'
import { ifRead, isMisnamed, misnamedProblems, noneProblems, readOurs } from './ours.ts'
import { allProblems, sourcesOf } from './problems.ts'
import type { ReadOptions } from './read.ts'
import { readFile } from './read-file.ts'

export interface LoadOptions extends ReadOptions, Omit<CheckOptions, 'elsewhere'> {
  readonly cwd: string
}

/**
 * The documents in files, folders, patterns and standard input (`-`), file by file, with every problem that can be found
 * without the service. Never throws because of the content of a file.
 */
export async function loadDocuments(inputs: readonly string[], options: LoadOptions): Promise<Loaded> {
  const found = await findDocuments(inputs, options)
  const {
    ours: files,
    foreign,
    stray,
    plans,
    isRead,
  } = await readOurs(found.files, options, (input, bytes) => readFile(input, bytes, options))
  const checked = (await checkFiles(files, ifRead(ifWhole(options, found), isRead))).map((file) =>
    withMissingFiles(file, options.cwd),
  )
  const unread = [
    ...found.problems,
    ...misnamedProblems(foreign),
    ...stray,
    ...noneProblems({ foreign, plans }, files.length),
  ]
  const problems = allProblems(unread, checked)
  return {
    documents: checked.flatMap(({ documents }) => documents),
    problems,
    others: checked.reduce((sum, { others }) => sum + others, 0),
    foreign: files.length > 0 ? foreign.filter((one) => !isMisnamed(one)) : [],
    namedAsFiles: found.namedAsFiles,
    sources: new Map([...found.sources, ...sourcesOf(checked, problems)]),
    files,
  }
}

/** The documents of every kind, in an order in which a service accepts them. */
export async function loadInOrder(inputs: readonly string[], options: Omit<LoadOptions, 'noun'>): Promise<Loaded> {
  const loaded = await loadDocuments(inputs, options)
  const documents = creationOrder.flatMap(({ name }) => loaded.documents.filter(({ kind }) => kind === name))
  return { ...loaded, documents }
}
