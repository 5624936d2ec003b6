import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { messageOf } from '../../../contract/unknown-values.ts'
import { projectFileName } from '../../../contract/values.ts'
import { sectionOf } from '../../../contract/vatom/complete.ts'
import { problemOf } from '../../../documents/finding.ts'
import { findInputs } from '../../../documents/load/inputs.ts'
import type { Problem } from '../../../documents/load/loaded.ts'
import { readOurs } from '../../../documents/load/ours.ts'
import { type Candidate, type ReadFile, readFile } from '../../../documents/load/read-file.ts'
import { codeOf, folderFrom, isGone, nearestWith, pointsOutside } from '../../../file-system.ts'
import { regularText } from '../../../regular-file.ts'
import type { Context } from '../../context.ts'
import { exit, Failure, usage } from '../../failure/failure.ts'
import { sourceOf } from '../../kinds/load-checked.ts'
import { aboveText, commandsText } from '../catalog-paths.ts'
import { ownKey } from '../owners.ts'
import type { PullOptions } from './pull.ts'
import { givenOptions } from './pull-command.ts'

/** A folder that a catalog is written to. */
export interface Folder {
  /** As the user named it. */
  readonly dir: string
  readonly cwd: string
  readonly publisher: string
}

/** A folder, of which some files are replaced. */
export interface Replacing extends Folder {
  /** Files that cannot be read, and may be replaced. */
  readonly replaced: ReadonlySet<string>
}

/** A document of a catalog, and what identifies its record. */
export interface Existing extends Pick<Candidate, 'kind' | 'name' | 'raw' | 'value'> {
  readonly key: string
  /** The template that it is, or is made for; empty if it names none. */
  readonly template: string
  readonly file: ReadFile
  /** Its place among the documents of the file. */
  readonly index: number
}

/** What a folder has before a pull. */
export interface ExistingCatalog {
  readonly documents: readonly Existing[]
  /** Why files or documents of the folder cannot be read. */
  readonly unreadable: readonly Problem[]
}

/** The documents in a folder and below, as the other commands find them. */
export async function readCatalog({ dir, cwd, publisher }: Folder, context: Context): Promise<ExistingCatalog> {
  const root = resolve(cwd, dir)
  if (!existsSync(root)) return { documents: [], unreadable: [] }
  if (!statSync(root).isDirectory()) throw unusable(dir, 'it is not a folder')
  const { files, problems } = await findInputs([dir], { cwd, signal: context.host.signal })
  const { ours } = await readOurs(files, sourceOf(context), (input, bytes) => readFile(input, bytes, { publisher }))
  return {
    documents: ours.flatMap((file) => file.candidates.map((candidate, index) => existing(candidate, file, index))),
    // A folder without files is a problem of the folder itself.
    unreadable: [...problems.filter(({ file }) => file !== dir), ...ours.flatMap(faultsOf)],
  }
}

/**
 * Throws `changed_meanwhile` where a folder has by now one of the documents that are new to it, as if another run or a
 * person has written it since the folder was read: it would be there twice.
 */
export async function refuseTwice(created: ReadonlySet<string>, folder: Folder, context: Context): Promise<void> {
  if (created.size === 0) return
  const { documents } = await readCatalog(folder, context)
  const twice = documents.find(({ key }) => created.has(key))
  if (twice === undefined) return
  const { kind, name, file } = twice
  throw new Failure('changed_meanwhile', exit.refused, `${file.source.file} has ${kind} ${name} meanwhile`, {
    hint: 'no file of this step was changed; pull again, which begins with what the files have now',
  })
}

/** What the documents in a folder describe, by `ownKey`, in the order in which its files are read. */
export async function* keysIn({ dir, cwd, publisher }: Folder, context: Context): AsyncGenerator<string, void> {
  const { files } = await findInputs([dir], { cwd, signal: context.host.signal })
  for (const file of files) {
    const { ours } = await readOurs([file], sourceOf(context), (input, bytes) => readFile(input, bytes, { publisher }))
    for (const { kind, value } of ours.flatMap(({ candidates }) => candidates)) yield ownKey(kind, sectionOf(value))
  }
}

/** Throws a usage error for a folder that is no catalog and has some below, into which records of others would be written. */
export function refuseAbove({ documents }: ExistingCatalog, { dir, cwd }: Folder, options: PullOptions): void {
  const root = resolve(cwd, dir)
  if (nearestWith(projectFileName, root) !== undefined) return
  const folders = new Set(documents.map(({ file }) => dirname(resolve(cwd, file.source.file))))
  const catalogs = new Set([...folders].flatMap((folder) => nearestWith(projectFileName, folder) ?? []))
  if (catalogs.size === 0) return
  const below = [...catalogs].map((catalog) => folderFrom(cwd, catalog))
  throw usage(aboveText(dir, below), commandsText(['vatom pull', ...givenOptions(options)].join(' '), below))
}

const existing = ({ kind, name, raw, value }: Candidate, file: ReadFile, index: number): Existing => ({
  ...{ kind, name, raw, value, file, index },
  key: ownKey(kind, sectionOf(value)),
  template: kindOf(kind).templateOf(value) ?? '',
})

/** The first error because of which a file's documents cannot be read. */
function faultsOf({ source, problems, candidates }: ReadFile): Problem[] {
  const found = candidates.flatMap(({ raw }) => raw.findings).filter(({ severity }) => severity === 'error')
  return [...problems, ...found.map((one) => problemOf(source, one))].slice(0, 1)
}

/** Throws where a file is outside a folder because of a link. */
export function refuseOutside(file: string, { dir, cwd }: Pick<Folder, 'dir' | 'cwd'>): void {
  if (pointsOutside(resolve(cwd, file), resolve(cwd, dir))) throw unusable(file, 'a link points outside the folder')
}

/** The text of a file below a folder, without its byte order mark; undefined if it does not exist. */
export function textAt(file: string, folder: Folder): string | undefined {
  refuseOutside(file, folder)
  const path = resolve(folder.cwd, file)
  try {
    const text = regularText(path)
    if (text === undefined) throw new Error('it is no regular file, or too large')
    return text.replace(/^\ufeff/, '')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw unusable(file, messageOf(cause), cause)
  }
}

/**
 * Whether no new file below a folder can have a name: something is there that stays, as also do a link to nothing, a pipe, a
 * folder, and what this user may not read. Throws where the system does not say.
 */
export function isTaken(file: string, { replaced, cwd }: Pick<Replacing, 'replaced' | 'cwd'>): boolean {
  const path = resolve(cwd, file)
  try {
    lstatSync(path)
  } catch (cause) {
    if (isGone(cause)) return false
    throw unusable(file, messageOf(cause), cause)
  }
  return !(replaced.has(file) && isReadable(path))
}

function isReadable(path: string): boolean {
  try {
    return regularText(path) !== undefined
  } catch {
    return false
  }
}

const unusable = (file: string, why: string, cause?: unknown) =>
  new Failure('file', exit.refused, `${file} cannot be read: ${why}`, { hint: 'choose another folder', cause })

/** The folder of a file below a catalog's, as the user named that. */
export const folderOf = (file: string): string => join(dirname(file))
