import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { ProjectFile } from '../../contract/project.ts'
import { projectFileName } from '../../contract/values.ts'
import { isFileError, isWithin } from '../../file-system.ts'
import { inputProblem } from '../finding.ts'
import { GitReading } from './git-reading.ts'
import { globOf } from './glob.ts'
import { interruptible } from './interruptible.ts'
import { ifOutside, outside } from './linked-folders.ts'
import type { LoadedValue } from './load-one.ts'
import type { Problem } from './loaded.ts'
import { isValid } from './problems.ts'
import type { ReadOptions } from './read.ts'

/** The file that describes the catalog of a folder, as it was read. */
export interface Project extends Pick<ProjectFile, 'catalog'> {
  /** The folder that it describes. */
  readonly folder: string
  readonly problems: readonly Problem[]
  /** The text of the file, by its name in the problems. */
  readonly sources: ReadonlyMap<string, string>
  /** Whether a file or folder, by its absolute path, is not part of the catalog. */
  readonly ignores: (path: string) => Promise<boolean>
  /** The pattern because of which it is none. Both throw if the run is interrupted. */
  readonly ignoredBy: (path: string) => Promise<string | undefined>
}

/** Where a run looks for files, what interrupts it, and what it has read of repositories, if that is not begun here. */
export interface Place extends Pick<ReadOptions, 'signal'> {
  readonly cwd: string
  readonly git?: GitReading | undefined
}

/** The same, with what the run has read of repositories, and has still to read. */
export type RunPlace = Place & { readonly git: GitReading }

export const runPlace = ({ cwd, signal, git = new GitReading({ signal }) }: Place): RunPlace => ({ cwd, signal, git })

/** Finds the project of a folder, and remembers it. */
export type ProjectOf = (folder: string) => Promise<Project | undefined>

/** Finds the project of the nearest folder, of a folder and those above it, that has one. Each is read once. */
export function projectFinder(place: Place): ProjectOf {
  const found = new Map<string, Promise<Project | undefined>>()
  const nearest = async (folder: string): Promise<Project | undefined> => {
    const above = dirname(folder)
    return (await projectAt(folder, place)) ?? (above === folder ? undefined : find(above))
  }
  const find = (folder: string) => {
    const project = found.get(folder) ?? nearest(folder)
    found.set(folder, project)
    return project
  }
  return find
}

/**
 * Whether a file or folder in a folder is not found from there: of the projects on the way, one ignores it, or the folder of the
 * next one.
 */
export async function isLeftOut(path: string, folder: string, projectOf: ProjectOf): Promise<boolean> {
  const project = await projectOf(dirname(path))
  if (project === undefined) return false
  if (await project.ignores(path)) return true
  const isInner = project.folder !== folder && isWithin(folder, project.folder)
  return isInner && isLeftOut(project.folder, folder, projectOf)
}

/** The project of a folder; undefined if it has none of its own. */
export async function projectAt(folder: string, place: Place): Promise<Project | undefined> {
  const { cwd } = place
  const path = join(folder, projectFileName)
  const file = relative(cwd, path) || path
  const there = statOf(path)
  if (there?.isDirectory()) return unreadable(folder, inputProblem(file, 'input', 'is a folder', 'a file is meant'))
  if (there === undefined && statOf(path, lstatSync) !== undefined)
    return unreadable(folder, inputProblem(file, 'input', 'links to no file'))
  if (there === undefined) return undefined
  // Who reads a named pipe waits for somebody who writes to it.
  if (!there.isFile()) return unreadable(folder, inputProblem(file, 'input', 'is no regular file', 'a file is meant'))
  const { loadProject } = await import('./load-known.ts')
  const readStdin = async () => new Uint8Array()
  const loaded = await loadProject(file, { cwd, readStdin })
  const { value, sources } = loaded
  if (!isValid(loaded.problems) && ifOutside(path, folder).isOutside)
    return unreadable(folder, inputProblem(file, 'input', outside))
  const found = loaded.problems.filter(({ rule }) => rule !== 'empty')
  const problems = [...found, ...nothingSaid(file, { value, sources, problems: found })]
  const patterns = (value?.ignore ?? []).map((pattern) => ({ pattern, fits: globOf(pattern) }))
  const pause = interruptible(place)
  const ignoredBy = async (file: string) => {
    await pause()
    const way = relative(folder, file).split(sep).join('/')
    return patterns.find(({ fits }) => fits(way))?.pattern
  }
  return {
    folder,
    catalog: value?.catalog,
    problems,
    sources,
    ignores: async (file) => (await ignoredBy(file)) !== undefined,
    ignoredBy,
  }
}

/** The problem of a file that says nothing, as where its content got lost. A comment in it says that nothing is meant. */
function nothingSaid(file: string, { value = {}, problems, sources }: LoadedValue<ProjectFile>): Problem[] {
  const isSaid = Object.keys(value).length > 0 || [...sources.values()].some((text) => text.includes('#'))
  return isSaid || !isValid(problems) ? [] : [inputProblem(file, 'empty', 'says nothing of the catalog', orComment)]
}

const orComment = 'get back what it said, such as ignore; if nothing is meant, remove it, or say so in a comment in it'

/** What a path leads to, if it leads to something; or what `lstatSync` says of the path itself. */
function statOf(path: string, stat: typeof lstatSync = statSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false })
  } catch (error) {
    if (!isFileError(error)) throw error
    return undefined
  }
}

/** A project of which nothing is known but what is wrong with its file. */
const unreadable = (folder: string, problem: Problem): Project => ({
  folder,
  catalog: undefined,
  problems: [problem],
  sources: new Map(),
  ignores: async () => false,
  ignoredBy: async () => undefined,
})
