import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nameIn, nearest, nearestWith } from '../../file-system.ts'
import { regularStart } from '../../regular-file.ts'
import { costs, type GitReading, madeOnce } from './git-reading.ts'
import { isType } from './inputs.ts'

/** The submodules whose folders are empty where a repository was exported, as for a container: without `.git`, and without them. */
export interface EmptySubmodules {
  /** The `.gitmodules` that names them. */
  readonly file: string
  readonly folders: readonly string[]
  /** Why others may be empty, too: it names more than are looked at, or cannot be read. */
  readonly lack?: 'crowded' | 'unread'
}

/** The empty submodules of the exported repository around a folder; undefined in none. */
export async function emptySubmodules(folder: string, reading: GitReading): Promise<EmptySubmodules | undefined> {
  const root = nearestWith('.gitmodules', folder)
  return root === undefined ? undefined : madeOnce(reading.empty, root, () => emptyIn(root, reading))
}

async function emptyIn(root: string, reading: GitReading): Promise<EmptySubmodules> {
  const file = fileIn(root)
  const folders: string[] = []
  try {
    for (const path of submodulesOf(root, reading)) {
      await reading.pause()
      reading.count(costs.read)
      if (isEmpty(path)) folders.push(path)
    }
    return { file, folders }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { file, folders, lack: isReadable(file) ? 'crowded' : 'unread' }
  }
}

function isReadable(file: string): boolean {
  try {
    return regularStart(file, 0) !== undefined
  } catch {
    return false
  }
}

/** The submodule that a folder is in, as a `.gitmodules` in a folder or above it names it. Throws as `submodulesOf`. */
export function exportedSubmodule(folder: string, reading: GitReading, from = folder): string | undefined {
  const root = nearestWith('.gitmodules', from)
  if (root === undefined) return undefined
  const submodules = submodulesOf(root, reading)
  return nearest(folder, (one) => submodules.has(one)) ?? exportedSubmodule(folder, reading, dirname(root))
}

/** The folders of the submodules that the `.gitmodules` in a folder names, each once. Throws a RangeError where that cannot be read, or too much was read. */
const submodulesOf = (root: string, reading: GitReading): ReadonlySet<string> =>
  madeOnce(reading.submodules, root, () => {
    const names = submodulePaths(String(reading.file(fileIn(root), costs.character) ?? ''))
    return new Set(names.map((name) => join(root, name)))
  })

const fileIn = (root: string) => join(root, '.gitmodules')

/** The paths of the submodules that a `.gitmodules` names. */
export const submodulePaths = (gitmodules: string): string[] =>
  gitmodules
    .split(/\r?\n/)
    .flatMap((line) => /^\s*path\s*=(.*)$/.exec(line)?.[1]?.trim() ?? [])
    .map((name) => name.replace(/^"(.*)"$/, '$1'))
    .filter(Boolean)

/** Whether a folder has nothing in it, or is not there. */
const isEmpty = (path: string): boolean =>
  !existsSync(path) || (isType(path, 'isDirectory') && nameIn(path) === undefined)
