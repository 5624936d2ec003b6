import { relative, resolve } from 'node:path'
import { plural } from '../../contract/schema/wording.ts'
import { loadInOrder } from '../../documents/load/load.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { type Context, once } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { shellWord } from '../io/text.ts'
import { sourceOf } from '../kinds/load-checked.ts'
import { ownKey } from './owners.ts'

/** Where a record is described that is in no file of a run. */
export interface Described extends Pick<LoadedDocument, 'name' | 'file' | 'value'> {
  /** The folder of its catalog. */
  readonly folder: string
}

/** What the catalogs of a run describe in files that it was not given, by `ownKey`; it is read once, when it is asked for. */
export type Beside = () => Promise<ReadonlyMap<string, Described>>

interface BesideOptions {
  readonly inputs: readonly string[]
  /** The folders that hold all files of the catalogs. */
  readonly folders: readonly string[]
  readonly publisher: string
  /** Whether records that no file describes are deleted: then all files must be valid. */
  readonly prunes: boolean
}

/** Reads the folders of catalogs of which only some files were given. Throws `invalid_documents`. */
export function besideOf({ inputs, folders, publisher, prunes }: BesideOptions, context: Context): Beside {
  const { cwd } = context.host
  const given = new Set(inputs.map((input) => resolve(cwd, input)))
  const others = folders.filter((folder) => !given.has(folder)).map((folder) => relative(cwd, folder) || '.')
  const folderOf = (file: string) => others.find((folder) => file.startsWith(`${folder}/`)) ?? '.'
  return once(async () => {
    if (others.length === 0) return new Map()
    const { documents, problems } = await loadInOrder(others, { ...sourceOf(context), publisher })
    const errors = problems.filter(({ severity }) => severity === 'error')
    const [first] = errors
    if (prunes && first)
      throw new Failure(
        'invalid_documents',
        exit.invalid,
        `--prune needs all files of the catalog, and ${plural(errors.length, 'error')} in them hide what they describe: ${first.file}: ${first.message}; nothing was sent`,
        { hint: `correct them: vatom validate ${others.map(shellWord).join(' ')}`, issues: errors, listed: [] },
      )
    return new Map(
      documents.map(({ kind, name, value, file }) => [
        ownKey(kind, value),
        { name, file, value, folder: folderOf(file) },
      ]),
    )
  })
}

/** Throws a usage error if --prune is to delete what the catalogs of standard input own, which is in none. */
export function checkPruned(inputs: readonly string[], folders: readonly string[]): void {
  if (folders.length === 0 && inputs.includes('-'))
    throw usage(
      '--prune deletes what a catalog owns, and standard input is in no catalog',
      'name the folder of the catalog in place of -, or leave out --prune',
    )
}
