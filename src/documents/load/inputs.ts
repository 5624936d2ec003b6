import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import { operandWord } from '../../contract/shell-word.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { projectFileName } from '../../contract/values.ts'
import { codeOf, folderFrom, isDenied, isFileError } from '../../file-system.ts'
import { inputProblem } from '../finding.ts'
import type { CheckOptions } from './check-files.ts'
import { interruptible } from './interruptible.ts'
import { createWalked, ifOutside, unfollowed, type Walked } from './linked-folders.ts'
import type { Problem } from './loaded.ts'
import { type Place, type Project, type ProjectOf, projectFinder, type RunPlace, runPlace } from './project.ts'
import { ifNeverOwned } from './remains.ts'

/** A file to read. */
export interface InputFile {
  /** As the user named it, or as found in a folder that the user named; `<stdin>` for `-`. */
  readonly file: string
  /** Absolute path; undefined for standard input. */
  readonly path?: string
  /** Whether the user named the file itself, not a folder or a pattern. */
  readonly named: boolean
  /** Whether a link leads to it from the folder that the user named, or from the working directory, to elsewhere. */
  readonly isOutside?: true
}

/** Whether no line of a file is shown. */
export const isHidden = ({ named, isOutside }: InputFile): boolean => isOutside === true && !named

export interface Inputs {
  readonly files: readonly InputFile[]
  /** Whether they are all files of catalogs: each input is a folder that was read, and no part of a larger catalog. */
  readonly isWhole: boolean
  /** Whether each of these folders has a project file. */
  readonly isDescribed: boolean
  readonly problems: readonly Problem[]
  /** The text of each project file that has a problem. */
  readonly sources: ReadonlyMap<string, string>
  /** Absolute paths of the folders that were read and have the name of a document. */
  readonly namedAsFiles: readonly string[]
}

/** Options for inputs: without the rules of whole catalogs, if they are a part of one. */
export const ifWhole = <O extends Pick<CheckOptions, 'ifWhole' | 'isDescribed'>>(
  options: O,
  { isWhole, isDescribed }: Pick<Inputs, 'isWhole' | 'isDescribed'>,
): O => (isWhole ? { ...options, isDescribed } : { ...options, ifWhole: [] })

/** A file, or why there is none. */
type Found = InputFile | Problem

/** The files that inputs name, each once, in the order of the inputs; those of a folder or a pattern by name. */
export async function findInputs(
  inputs: readonly string[],
  given: Place,
  projectOf: ProjectOf = projectFinder(given),
): Promise<Inputs> {
  const place = runPlace(given)
  const { cwd } = place
  const files = new Map<string, InputFile>()
  const problems: Problem[] = []
  const walked = createWalked()
  let isWhole = true
  let isDescribed = true
  for (const input of inputs) {
    const path = resolve(cwd, input)
    isWhole &&= await isCatalog(path, projectOf)
    isDescribed &&= isWhole && (await projectOf(path)) !== undefined
    const found =
      input === '-' ? [{ file: '<stdin>', named: true }] : await resolveInput(input, { place, projectOf, walked })
    for (const one of Array.isArray(found) ? found : [found]) {
      if ('rule' in one) problems.push(one)
      else add(files, one)
    }
  }
  isWhole &&= !problems.some(({ rule }) => rule === 'input')
  const namedAsFiles = walked.folders.filter(isFoundName)
  return {
    files: withoutProjects([...files.values()]),
    problems: [...problems, ...(await unfollowed(walked, place))],
    sources: walked.sources,
    namedAsFiles,
    isWhole,
    isDescribed,
  }
}

/** The files of documents that inputs name; a project file alone, which has none, is a problem. */
export async function findDocuments(inputs: readonly string[], given: Place): Promise<Inputs> {
  const place = runPlace(given)
  const { cwd } = place
  const projectOf = projectFinder(place)
  const found = await findInputs(inputs, place, projectOf)
  const projects = found.files.filter(isProjectFile).map(({ file }) => {
    const folder = dirname(file)
    const hint = folder === '.' ? 'name its folder, or no path at all' : `name its folder: ${folder}`
    return inputProblem(file, 'input', 'describes a catalog and holds no document', hint)
  })
  return {
    ...found,
    files: found.files.filter((one) => !isProjectFile(one)),
    problems: [
      ...found.problems,
      ...projects,
      ...(await sameNames(found.files, cwd, projectOf)),
      ...(await notCheckedOut(inputs, found.problems, { place, projectOf })),
    ],
  }
}

/** Warns of what git has left out of folders, except of those whose problem says it. */
export async function notCheckedOut(
  inputs: readonly string[],
  problems: readonly Problem[],
  { place, projectOf }: Pick<Search, 'place' | 'projectOf'>,
): Promise<Problem[]> {
  const { missingProblems } = await import('./checkout.ts')
  const hasFailed = (input: string) => problems.some(({ file, rule }) => rule === 'input' && file === input)
  const read = inputs.filter((input) => !hasFailed(input))
  return missingProblems(read, place, projectOf)
}

/** Warns of each folder that is a catalog of the same name as another. */
async function sameNames(files: readonly InputFile[], cwd: string, projectOf: ProjectOf): Promise<Problem[]> {
  const first = new Map<string, string>()
  const folders = new Set(files.flatMap(({ path }) => (path === undefined ? [] : [dirname(path)])))
  const found = new Map<string, Problem>()
  for (const folder of folders) {
    const project = await projectOf(folder)
    if (project?.catalog === undefined) continue
    const own = folderFrom(cwd, project.folder)
    const other = first.get(project.catalog) ?? own
    first.set(project.catalog, other)
    if (other !== own) found.set(own, sameName(project.catalog, own, other))
  }
  return [...found.values()]
}

/** The warning that the catalog of a folder has the name of another. */
export const sameName = (catalog: string, folder: string, other: string): Problem => ({
  ...inputProblem(
    join(folder, projectFileName),
    'catalog-name',
    `${other} is a catalog named ${catalog}, too: --prune of one deletes what only the other describes`,
    sameNameHint,
  ),
  severity: 'warning',
})

/** What to do about two catalogs of one name. */
export const sameNameHint = `write another name after catalog: in one of the two ${projectFileName}, leave there only what that one is to have, and apply it with --take-over`

/** Whether a file describes a catalog and holds no documents. */
export const isProjectFile = ({ file }: InputFile): boolean => basename(file) === projectFileName

/** Whether a path is a folder that is no part of a catalog above it. */
async function isCatalog(path: string, projectOf: ProjectOf): Promise<boolean> {
  if (!isType(path, 'isDirectory')) return false
  const project = await projectOf(path)
  return project === undefined || project.folder === path
}

/** A project file among others, as a shell expands a pattern, holds no documents. */
function withoutProjects(files: readonly InputFile[]): readonly InputFile[] {
  const others = files.filter((one) => !isProjectFile(one))
  return others.length > 0 ? others : files
}

function add(files: Map<string, InputFile>, found: InputFile): void {
  const key = found.path ?? '-'
  const known = files.get(key)
  files.set(key, known ? { ...known, named: known.named || found.named } : found)
}

interface Search {
  readonly place: RunPlace
  readonly projectOf: ProjectOf
  readonly walked: Walked
}

async function resolveInput(input: string, search: Search): Promise<Found[] | Problem> {
  const { place, projectOf, walked } = search
  const { cwd } = place
  if (input === '') return inputProblem("''", 'input', 'an empty file name')
  const path = resolve(cwd, input)
  try {
    if (!statSync(path).isDirectory()) return [{ file: input, path, named: true, ...ifOutside(path, cwd) }]
  } catch (error) {
    if (!isMissing(error)) return inputProblem(input, 'input', reason(error))
    if (hasMagic(input)) return matching(input, search)
    const [{ absentHint }, { nearInput }] = await Promise.all([import('./checkout.ts'), import('./near-input.ts')])
    return inputProblem(input, 'input', reason(error), (await absentHint(path, place)) ?? nearInput(input, cwd))
  }
  const project = await projectOf(path)
  const found = [
    ...problemsOf(project, walked),
    ...(await walkFolder(path, input, { project, projectOf, root: path, pause: interruptible(place), walked })),
  ]
  if (found.length > 0) return found
  const ignored = filesBelow(path)
  if (ignored.length > 0) return allIgnored(input, ignored, search)
  const { checkoutHint } = await import('./checkout.ts')
  const hint = await checkoutHint(input, place, projectOf)
  return project?.folder === path
    ? inputProblem(input, 'input', `the catalog has no documents, only ${projectFileName}`, hint ?? emptied)
    : inputProblem(
        input,
        'input',
        'the folder contains no .yaml, .yml or .json file',
        hint ?? planHint(input, path) ?? toBegin,
      )
}

/** Where a saved plan is meant, which a pipeline unpacked into a folder of its name. */
function planHint(input: string, folder: string): string | undefined {
  const plan = readdirSync(folder).find((name) => name.endsWith('.plan') && isType(join(folder, name), 'isFile'))
  return plan && `a saved plan is in it, which is applied by itself: vatom apply ${operandWord(join(input, plan))}`
}

/** What may be meant by a folder without documents. */
const toBegin = 'name the folder of a catalog; to begin one: vatom init'

/** What may be meant by a catalog without documents. */
const emptied =
  'to begin: vatom init; to delete what it had on the service: vatom template delete NAME, or variation, face or action delete'

/** The files in a folder and those below it that are documents where no project ignores them. */
export function filesBelow(folder: string): string[] {
  const hasIgnoredFolder = (within: string) => relative(folder, within).split(sep).some(isIgnored)
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name, parentPath }) => isFoundName(name) && !hasIgnoredFolder(parentPath))
      .map(({ name, parentPath }) => join(parentPath, name))
      .filter((path) => isType(path, 'isFile'))
  } catch {
    return []
  }
}

/** Whether an operand can be an input: standard input, a pattern, or an existing file or folder. */
export const isInput = (operand: string, cwd: string): boolean =>
  operand === '-' || hasMagic(operand) || existsSync(resolve(cwd, operand))

/** Whether there is an input, or may be one later: a pattern whose folder is there can match files that are not yet. */
export const mayBeInput = (operand: string, cwd: string): boolean =>
  isInput(operand, cwd) && [operand, folderOfPattern(operand)].some((path) => existsSync(resolve(cwd, path)))

/** The folders before the first part of a pattern that is no name. */
const folderOfPattern = (pattern: string): string => {
  const parts = pattern.split('/')
  return parts.slice(0, Math.max(0, parts.findIndex(hasMagic))).join('/')
}

const hasMagic = (input: string) => /[*?[\]{}()!]/.test(input)

/** Files that a pattern matches. The library is loaded only for one. */
async function matching(pattern: string, search: Search): Promise<InputFile[] | Problem> {
  const { projectOf, walked } = search
  const { cwd } = search.place
  const { expandPattern } = await import('./pattern.ts')
  const isIgnoredByProject = async (path: string) => (await (await projectOf(dirname(path)))?.ignores(path)) === true
  const { matches, folders, links } = expandPattern(pattern, cwd)
  for (const folder of folders) walked.folders.push(folder)
  for (const [path, file] of links) if (!(await isIgnoredByProject(path))) walked.links.set(path, file)
  const found = matches.filter(isFoundName).sort()
  if (found.length === 0) return inputProblem(pattern, 'input', 'matches no .yaml, .yml or .json file')
  const files: InputFile[] = []
  for (const file of found) {
    const path = resolve(cwd, file)
    if (!(await isIgnoredByProject(path))) files.push({ file, path, named: false, ...ifOutside(path, cwd) })
  }
  if (files.length > 0) return files
  return allIgnored(
    pattern,
    found.map((file) => resolve(cwd, file)),
    search,
  )
}

/** The problem of a folder or pattern whose files are all no part of a catalog. */
async function allIgnored(input: string, paths: readonly string[], { place, projectOf }: Search): Promise<Problem> {
  const found = await Promise.all(paths.map((path) => ignoringOf(path, projectOf)))
  const by = found.filter((one) => one !== undefined)
  const places = new Set(by.map(({ folder }) => join(folderFrom(place.cwd, folder), projectFileName)))
  const patterns = new Set(by.map(({ pattern }) => pattern))
  return inputProblem(
    input,
    'input',
    `all its files are under ignore in ${[...places].join(' and ')}: ${plural(paths.length, 'file')}, by ${[...patterns].join(' and ')}`,
    'a file that is named itself is checked in any case',
  )
}

/** The folder of the project that ignores a file, and its pattern: of the nearest of a folder and those around it. */
async function ignoringOf(path: string, projectOf: ProjectOf, start = dirname(path)): Promise<Ignoring | undefined> {
  const project = await projectOf(start)
  if (project === undefined) return undefined
  const { folder } = project
  const pattern = await project.ignoredBy(path)
  if (pattern !== undefined) return { folder, pattern }
  const above = dirname(folder)
  return above === folder ? undefined : ignoringOf(path, projectOf, above)
}

interface Ignoring extends Pick<Project, 'folder'> {
  readonly pattern: string
}

/** Whether a name is that of a YAML or JSON file. */
export const isDataName = (name: string): boolean => /\.(ya?ml|json)$/i.test(name)

/** Whether a file can hold documents, by its name. */
export const isDocumentName = (name: string): boolean => isDataName(name) && basename(name) !== projectFileName

/** Whether a file of a folder or a pattern is read as documents, by its name: not what macOS and editors leave beside one. */
export const isFoundName = (name: string): boolean => isDocumentName(name) && !/^\.[_#]/.test(basename(name))

interface Walk {
  /** The nearest project, which says what is ignored. */
  readonly project: Project | undefined
  readonly projectOf: ProjectOf
  /** The folder that the user named. */
  readonly root: string
  /** Throws if the run is interrupted. */
  readonly pause: () => Promise<void>
  readonly walked: Walked
}

/**
 * Documents in a folder and its subfolders, by name; not in linked folders, which are noted, dot folders or node_modules,
 * and not what the project ignores. A folder that cannot be read is a problem. `shown` is the folder as the user named it.
 */
async function walkFolder(folder: string, shown: string, walk: Walk): Promise<Found[]> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    walk.walked.folders.push(folder)
    const found: (Found | Found[])[] = []
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const file = join(shown, entry.name)
      await walk.pause()
      if (await walk.project?.ignores(path)) continue
      if (entry.isDirectory()) found.push(isIgnored(entry.name) ? [] : await walkBelow(path, file, walk))
      else if (entry.isSymbolicLink()) found.push(linkAt(path, file, walk))
      else if (isFoundName(entry.name)) found.push(entry.isFile() ? { file, path, named: false } : noFile(file))
      else if (entry.isFile()) found.push(await insteadOf(path, file, walk))
    }
    return found.flat()
  } catch (error) {
    if (!isFileError(error)) throw error
    return [inputProblem(shown, 'input', reason(error))]
  }
}

/** What is said of a file that no document is read from: one may have another name, or be in a cloud. */
async function insteadOf(path: string, file: string, { project }: Walk): Promise<Problem[]> {
  if (isFoundName(withoutText(path))) return [textName(file)]
  const moved = /^\.(.+)\.icloud$/.exec(basename(path))?.[1] ?? ''
  const place = join(dirname(path), moved)
  return isDataName(moved) && !existsSync(place) && !(await project?.ignores(place))
    ? [inCloud(join(dirname(file), moved))]
    : []
}

/** The problem of a file that iCloud Drive has replaced by a `.NAME.icloud`. */
const inCloud = (file: string): Problem =>
  inputProblem(
    file,
    'input',
    'is not on this machine: iCloud Drive has moved it out of the folder',
    'download it first, in the Finder or with: brctl download',
  )

/** A name without the ending that some editors put behind the one that was given. */
const withoutText = (name: string) => name.replace(/\.txt$/i, '')

const textName = (file: string): Problem => ({
  ...inputProblem(file, 'file-name', 'is not read: its name ends with .txt', `rename it to ${withoutText(file)}`),
  severity: 'warning',
})

/** The problem of a pipe, a device or the like that has the name of a document: it may be in the place of one. */
const noFile = (file: string): Problem =>
  inputProblem(file, 'input', 'is no regular file', `put the file there; ${ifNeverOwned}`)

/** The document to which a link leads. A folder is noted, and what is missing may be documents, if it is so by its name. */
function linkAt(path: string, file: string, { root, walked }: Walk): Found[] {
  try {
    const target = statSync(path)
    if (target.isDirectory() && !isIgnored(basename(path))) walked.links.set(path, file)
    if (target.isDirectory() || !isFoundName(path)) return []
    return [target.isFile() ? { file, path, named: false, ...ifOutside(path, root) } : noFile(file)]
  } catch (error) {
    // Editors lock files by links with a dot that lead nowhere.
    if (isIgnored(basename(path)) || !(isDocumentName(path) || extname(path) === '')) return []
    return [
      inputProblem(file, 'input', isMissing(error) ? `links to a ${whatIs(path)} that does not exist` : reason(error)),
    ]
  }
}

/** What stands at a path, by its name alone. */
const whatIs = (path: string) => (isDocumentName(path) ? 'file' : 'file or folder')

/** Documents in a subfolder, which may have a project of its own. */
async function walkBelow(folder: string, shown: string, walk: Walk): Promise<Found[]> {
  try {
    const project = await walk.projectOf(folder)
    const found = await walkFolder(folder, shown, { ...walk, project })
    return project?.folder === folder ? [...problemsOf(project, walk.walked), ...found] : found
  } catch (error) {
    if (!isFileError(error)) throw error
    return [inputProblem(shown, 'input', reason(error))]
  }
}

/** The problems of a project file, whose text is remembered for them. */
function problemsOf(project: Project | undefined, { sources }: Walked): readonly Problem[] {
  if (!project || project.problems.length === 0) return []
  for (const [file, text] of project.sources) sources.set(file, text)
  return project.problems
}

/** Whether a file or folder of this name is no part of a catalog. */
export const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

/** Whether a path, followed if it is a link, can be read and is a file or a folder. */
export function isType(path: string, type: 'isFile' | 'isDirectory'): boolean {
  try {
    return statSync(path)[type]()
  } catch {
    return false
  }
}

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR', 'EINVAL'].includes(String(codeOf(error)))

/** What is wrong with a file or a disk itself, by the system's code. */
const faults: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EISDIR: 'is a folder',
  ELOOP: 'links to itself',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files: allow more of them with ulimit -n',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'no space is left on the device',
  EROFS: 'the file system is read-only',
  EBUSY: 'it is in use, or mounted by itself',
}
/** What Node makes of bytes of a name that are not UTF-8: no file has the name then. */
const unknownBytes = '\ufffd'
const notUtf8 = 'its name is not in UTF-8; rename it'

/** Why the system refuses to read or write a file, in a few words. */
export function causeOf(error: unknown): string {
  if (isDenied(error)) return 'permission denied'
  if (isNotUtf8(error)) return notUtf8
  return faultOf(error) ?? String(codeOf(error) ?? messageOf(error))
}

const isNotUtf8 = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && String(at(error, 'path')).includes(unknownBytes)

const faultOf = (error: unknown): string | undefined => (isNotUtf8(error) ? undefined : faults[String(codeOf(error))])

/** What is wrong with a file that cannot be read, as it follows its name. */
export const reason = (error: unknown): string => faultOf(error) ?? `cannot be read: ${causeOf(error)}`
