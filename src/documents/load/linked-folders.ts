import { basename, dirname } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import { folderFrom, isWithin, realPath } from '../../file-system.ts'
import { inputProblem } from '../finding.ts'
import { interruptible } from './interruptible.ts'
import type { Problem } from './loaded.ts'
import type { Place } from './project.ts'

/** What a search for files has met. */
export interface Walked {
  /** The folders that were read. */
  readonly folders: string[]
  /** Links to folders, which were not followed: as the user named each, by its path. */
  readonly links: Map<string, string>
  /** The text of each project file that has a problem. */
  readonly sources: Map<string, string>
}

export const createWalked = (): Walked => ({ folders: [], links: new Map(), sources: new Map() })

/**
 * A problem for each link to a folder that was not read under another name, and is not above the link: a circle. Throws if the
 * run is interrupted.
 */
export async function unfollowed({ folders, links }: Walked, place: Place): Promise<Problem[]> {
  if (links.size === 0) return []
  const read = new Set(folders.map(realPath))
  const cwd = realPath(place.cwd)
  const pause = interruptible(place)
  const problems: Problem[] = []
  for (const [path, file] of links) {
    await pause()
    const target = realPath(path)
    if (read.has(target) || isWithin(target, realPath(dirname(path)))) continue
    const hint = hintFor(path, folderFrom(cwd, target))
    problems.push(inputProblem(file, 'input', 'is a link to a folder, which is not followed', hint))
  }
  return problems
}

/** Marks a file that stands in a folder, and is elsewhere: a link leads out of the folder. */
export const ifOutside = (path: string, folder: string): { readonly isOutside?: true } =>
  isWithin(folder, path) && !isWithin(realPath(folder), realPath(path)) ? { isOutside: true } : {}

/** Why nothing is said of such a file. */
export const outside = 'is a link to a file elsewhere, which holds no document of a publisher: its text is not shown'

const hintFor = (path: string, target: string) =>
  `put the folder itself in its place, or list ${basename(path)} under ignore in ${projectFileName} and apply ${target} as a catalog of its own`
