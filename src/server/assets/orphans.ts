import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../contract/unknown-values.ts'
import { codeOf } from '../../file-system.ts'
import { hasEnded, ownTag, tagPattern } from '../../processes.ts'
import { regularText } from '../../regular-file.ts'
import { writeOwn } from '../../whole-file.ts'
import type { Store } from '../store/store.ts'
import type { Assets } from './asset-folder.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const finished = new RegExp(`^${uuid}$`)
const unfinished = new RegExp(`^${uuid}\\.(${tagPattern})\\.part$`)

/** Whether a text may be the id of an asset. */
export const isAssetId = (text: string): boolean => finished.test(text)

/** What becomes of a file. */
export type Fate = (file: string) => void

export const removed: Fate = (file) => rmSync(file, { force: true })

/**
 * A file of no asset is left by a crash, or belongs to a later state of a database of which an older copy is in its place: it
 * comes back with a database that records it, and is removed after some time.
 */
export const setAside: Fate = (file) => renameSync(file, file + asideSuffix)
const putBack: Fate = (file) => renameSync(file, file.slice(0, -asideSuffix.length))

const asideSuffix = '.unrecorded'
const aside = new RegExp(`^(${uuid})\\.unrecorded$`)
/** Milliseconds for which a file is set aside. */
const keptAside = 30 * 24 * 3600 * 1000

/** The files of a folder, and what the database of it records. */
interface Tidied {
  readonly folder: Assets
  readonly store: Store
  /** The fate of files that no asset is recorded for. */
  readonly unrecorded: Fate
}

/** What was done with files. */
interface Done {
  /** How many files of no asset were got out of the way. */
  readonly count: number
  /** Why another one could not be moved or removed. */
  readonly failure: string | undefined
}

/**
 * Gets files that no asset is recorded for out of the way, puts back those that are recorded again, and removes parts of
 * processes that have ended. It looks twice, the second time in a write: no other process can then have named a file that it has
 * not recorded yet.
 */
export async function tidyFiles(tidied: Tidied): Promise<Done> {
  if (fatesIn(tidied).length === 0) return { count: 0, failure: undefined }
  return await tidied.store.write(() => {
    const tried = fatesIn(tidied).map(([file, fate]) => ({ fate, failure: failureOf(() => fate(file)) }))
    const moved = tried.filter(({ fate, failure }) => fate === tidied.unrecorded && failure === undefined)
    return { count: moved.length, failure: tried.find(({ failure }) => failure !== undefined)?.failure }
  })
}

/** One file that cannot be moved keeps no other from it. */
function failureOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function fatesIn(tidied: Tidied): [file: string, fate: Fate][] {
  const { path } = tidied.folder
  if (path === undefined) return []
  const names = ifThere(() => readdirSync(path)) ?? []
  return names.flatMap((name) => {
    const fate = fateOf(name, path, tidied)
    return fate ? [[join(path, name), fate]] : []
  })
}

/** Undefined for a file that stays as it is. */
function fateOf(name: string, path: string, { folder, store, unrecorded }: Tidied): Fate | undefined {
  if (isAssetId(name)) return store.assets.byId(name) ? undefined : unrecorded
  const [, id] = aside.exec(name) ?? []
  if (id === undefined) return isAbandoned(name, path, folder) ? removed : undefined
  if (store.assets.byId(id)) return folder.has(id) ? removed : putBack
  return unrecorded === removed || isOld(join(path, name)) ? removed : undefined
}

/** Whether a file was renamed long ago, and not changed since. */
function isOld(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.ctimeMs > keptAside
}

function isAbandoned(name: string, path: string, folder: Assets): boolean {
  const [, tag] = unfinished.exec(name) ?? []
  if (tag === undefined) return false
  return tag === ownTag() ? !folder.isReceiving(name) : hasEnded(tag, join(path, name))
}

/** The file in a folder of assets that names the database it belongs to. */
const marker = '.database'

/** Binds a folder to a database. */
export const mark = (path: string, owner: string): void =>
  writeOwn(join(path, marker), owner, { mode: 0o600, flush: true })

/**
 * Whether a folder belongs to a database: the folder beside a new database may be that of an older one, with files that
 * the new one does not know. A folder without a marker is marked if it is empty or has a file that the database knows.
 */
export function belongsTo(path: string, owner: string, store: Store): boolean {
  const known = ifThere(() => regularText(join(path, marker)) ?? 'unknown')
  if (known) return known === owner
  const files = readdirSync(path).filter(isAssetId)
  if (files.length > 0 && !files.some((id) => store.assets.byId(id))) return false
  mark(path, owner)
  return true
}

/** What is read of a file or folder; undefined where that does not exist. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
