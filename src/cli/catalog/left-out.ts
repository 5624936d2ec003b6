import { lstatSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sectionOf } from '../../contract/vatom/complete.ts'
import { findInputs, type InputFile, isType } from '../../documents/load/inputs.ts'
import { readOurs } from '../../documents/load/ours.ts'
import { type Place, type Project, projectFinder } from '../../documents/load/project.ts'
import { type ReadFile, readFile } from '../../documents/load/read-file.ts'
import { ifOfOthers } from '../../documents/load/remains.ts'
import { isStatusLine } from '../../documents/yaml/source.ts'
import { folderFrom, realPath } from '../../file-system.ts'
import { type Context, once } from '../context.ts'
import { placeOf, sourceOf } from '../kinds/load-checked.ts'
import { isClosedFolder, letRead } from './closed.ts'
import type { PruneOptions } from './options.ts'
import { ownKey } from './owners.ts'
import { correctFile, isUnclear, isUnclearThere, refuseUnread } from './unread.ts'

/** Where something is described outside of catalogs: in the folder of another one, which may have a name, or in a file that a catalog ignores. */
export type OtherPlace =
  | { readonly alsoIn: string; readonly catalog?: string | undefined }
  | { readonly ignoredIn: string }

/** What is described outside of catalogs, by `ownKey`. */
export type OtherPlaces = ReadonlyMap<string, OtherPlace>

/** What catalogs leave out. */
export interface LeftOut {
  readonly places: OtherPlaces
  /** Throws a usage error for a run that deletes where a file that is left out cannot be read. */
  readonly check: () => void
}

/**
 * What files in the folders of catalogs describe that are not in these, because a `vatom.yaml` on the way to them ignores
 * them, also in folders that links lead to: it is nothing to prune. It is read once, when it is asked for.
 */
export const leftOutOf = (
  own: readonly string[],
  publisher: string,
  options: PruneOptions,
  context: Context,
): (() => Promise<LeftOut>) =>
  once(async () => {
    const place = placeOf(context)
    const find = placeFinder(own, place)
    const { files, unread } = await filesLeftOut(own, find, place)
    const { ours, stray } = await readOurs(files, sourceOf(context), (input, bytes) =>
      readFile(input, bytes, { publisher }),
    )
    for (const { file, message, hint = ifOfOthers } of stray) {
      const { isOfAnother } = await find(file)
      if (isOfAnother) unread.push({ file, isOfAnother, is: message, hint })
    }
    const places = new Map<string, OtherPlace>()
    for (const one of ours) {
      const { file } = one.input
      const { place: described, isOfAnother } = await find(file)
      if (isOfAnother ? isUnclearThere(one) : isUnclear(one) && !isOfOtherTool(one))
        unread.push({ file, isOfAnother, is: 'cannot be read', hint: correctFile(file) })
      for (const { kind, value } of one.candidates) places.set(ownKey(kind, sectionOf(value)), described)
    }
    const check = () => {
      for (const one of unread) refuse(one, options)
    }
    return { places, check }
  })

/** Texts by status are of another tool where their own catalog ignores them. */
const isOfOtherTool = ({ source }: ReadFile): boolean => isStatusLine(source.text)

/** A file of which nobody can tell what it describes. */
interface Unread {
  readonly file: string
  readonly isOfAnother: boolean
  readonly is: string
  readonly hint: string
}

const refuse = ({ file, isOfAnother, is, hint }: Unread, options: PruneOptions) =>
  refuseUnread(file, `, ${isOfAnother ? 'of another catalog' : 'which the catalog ignores'}, ${is}`, hint, options)

/** Finds where a file is that is left out, and whether it is in another catalog, which has a `vatom.yaml`. */
type Find = (file: string) => Promise<{ readonly place: OtherPlace; readonly isOfAnother: boolean }>

function placeFinder(own: readonly string[], place: Place): Find {
  const projectOf = projectFinder(place)
  return async (file) => {
    const path = resolve(place.cwd, file)
    const within = realPath(dirname(path))
    const project = await projectOf(within)
    const folder = project?.folder ?? within
    if (own.includes(folder) || (await project?.ignores(join(within, basename(path)))))
      return { place: { ignoredIn: file }, isOfAnother: false }
    const alsoIn = folderFrom(place.cwd, folder)
    return { place: { alsoIn, catalog: project?.catalog }, isOfAnother: project !== undefined }
  }
}

/** The files in folders of catalogs that are not in these, and those in the folders that links among them lead to. */
async function filesLeftOut(
  own: readonly string[],
  find: Find,
  place: Place,
): Promise<{ readonly files: readonly InputFile[]; readonly unread: Unread[] }> {
  const unread: Unread[] = []
  const folders = own.map((folder) => folderFrom(place.cwd, folder))
  const projectOf = projectFinder(place)
  const whatever = async (folder: string) => ignoringNothing(await projectOf(folder))
  const all = await findInputs(folders, place, whatever)
  const links = all.problems.map(({ file }) => file).filter((file) => isLinkedFolder(resolve(place.cwd, file)))
  const behind = await findInputs(links, place, whatever)
  const closed = all.problems.find(({ file }) => isClosedFolder(resolve(place.cwd, file)))
  if (closed) unread.push({ file: closed.file, isOfAnother: false, is: 'cannot be read', hint: letRead })
  const others = [...all.problems, ...behind.problems].filter(
    ({ file, rule }) => rule === 'input' && !links.includes(file),
  )
  for (const one of others) {
    const { file, message: is, hint = correctFile(file) } = one
    const { isOfAnother } = await find(file)
    if (isOfAnother || behind.problems.includes(one)) unread.push({ file, isOfAnother, is, hint })
  }
  const read = new Set((await findInputs(folders, place, projectOf)).files.map(({ path }) => path))
  return { files: [...all.files, ...behind.files].filter(({ path }) => !read.has(path)), unread }
}

/** Whether a path is a link to a folder. */
export const isLinkedFolder = (path: string): boolean => isType(path, 'isDirectory') && lstatSync(path).isSymbolicLink()

/** A project with all its files. */
const ignoringNothing = (project: Project | undefined): Project | undefined =>
  project && { ...project, ignores: async () => false }
