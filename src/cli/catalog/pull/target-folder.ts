import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { messageOf } from '../../../contract/unknown-values.ts'
import type { KindName } from '../../../contract/values.ts'
import { isDocumentName } from '../../../documents/load/inputs.ts'
import { readFile } from '../../../documents/load/read-file.ts'
import { codeOf } from '../../../file-system.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { type CatalogFile, saysTheSame } from './catalog-files.ts'

/** A folder that a catalog is written to. */
export interface Folder {
  /** As the user named it. */
  readonly dir: string
  readonly cwd: string
  readonly publisher: string
}

/** A file of a catalog, compared with the existing file of that name. */
export interface ComparedFile extends CatalogFile {
  /** As messages name it. */
  readonly file: string
  /** The existing text. */
  readonly before: string | undefined
  readonly status: 'created' | 'updated' | 'unchanged'
}

/** Compares a file of a catalog with the existing file. */
export function comparedFile(one: CatalogFile, folder: Folder): ComparedFile {
  const file = join(folder.dir, one.name)
  const before = textAt(file, folder)
  const status = before === undefined ? 'created' : saysTheSame(before, one, folder.publisher) ? 'unchanged' : 'updated'
  return { ...one, file, before, status }
}

/** The text of a file below a folder, without its byte order mark; undefined if it does not exist. */
export function textAt(file: string, { dir, cwd }: Folder): string | undefined {
  const path = resolve(cwd, file)
  try {
    if (pointsOutside(path, resolve(cwd, dir))) throw new Error('a link points outside the folder')
    if (!statSync(path).isFile()) throw new Error('it is not a regular file')
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new Failure('file', exit.refused, `${file} cannot be read: ${messageOf(cause)}`, {
      hint: 'choose another folder',
      cause,
    })
  }
}

/** Whether a path, as far as it exists, is outside a folder because of a link. */
function pointsOutside(path: string, folder: string): boolean {
  if (!existsSync(folder)) return false
  const existing = [path, dirname(path), folder].find(existsSync) ?? folder
  const way = relative(realpathSync(folder), realpathSync(existing))
  return way.startsWith('..') || isAbsolute(way)
}

/** A document in another file of the folder. */
export interface OtherDocument {
  readonly file: string
  readonly kind: KindName
  readonly name: string
}

/** The named documents in other files of a folder, without subfolders. */
export function otherDocuments(files: readonly ComparedFile[], { dir, cwd, publisher }: Folder): OtherDocument[] {
  const own = new Set(files.map(({ name }) => name))
  const others = filesIn(resolve(cwd, dir)).filter((name) => isDocumentName(name) && !own.has(name))
  return others.flatMap((name) => {
    const file = join(dir, name)
    const options = { noun: 'template', publisher } as const
    const { candidates } = readFile({ file, named: false }, bytesOf(resolve(cwd, file)), options)
    return candidates
      .filter((one) => kindOf(one.kind).key === 'name' && one.name !== '')
      .map((one) => ({ file, kind: one.kind, name: one.name }))
  })
}

/** The names of the files in a folder; none if it does not exist. */
function filesIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

function bytesOf(path: string): Uint8Array | string {
  try {
    return readFileSync(path)
  } catch (error) {
    return messageOf(error)
  }
}
