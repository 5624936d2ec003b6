import { createHash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { PreviewCatalog, PreviewProblem } from '../../contract/preview.ts'
import { wholeRules } from '../../contract/rules/catalog.ts'
import { projectFileName } from '../../contract/values.ts'
import { findInputs } from '../../documents/load/inputs.ts'
import { loadDocuments } from '../../documents/load/load.ts'
import type { Loaded, LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import { isError } from '../../documents/load/problems.ts'
import { type Place, projectFinder } from '../../documents/load/project.ts'
import { problemPlace } from '../../documents/report/problem-text.ts'
import { type LineReader, lineReader } from '../../documents/report/text.ts'
import { realPath } from '../../file-system.ts'
import { ownPath } from '../../own-path.ts'
import type { Context } from '../context.ts'
import { sourceOf } from '../kinds/load-checked.ts'
import { localPorts } from '../service/local-ports.ts'
import { knownPublisher } from '../service/publisher.ts'
import { LocalFiles, versionOf } from './local-files.ts'
import { subjectsOf } from './subjects.ts'

/** What a preview draws, which is read anew when it has changed. */
export interface Watched {
  /** What a page draws of them now. */
  read(): Promise<PreviewCatalog>
  /** The version that they have now. */
  version(): Promise<string>
  /** The local files that documents name. */
  readonly files: () => LocalFiles
}

/** Documents in files, as they were read last. */
export interface WatchedFiles extends Watched {
  readonly loaded: () => Loaded | undefined
}

/**
 * Watches documents in files and folders. Of a file with errors, the last version without any stays. Without a given
 * publisher, it is the one that the environment or the session names.
 */
export function watchCatalog(
  inputs: readonly string[],
  givenPublisher: string | undefined,
  context: Context,
): WatchedFiles {
  const { cwd } = context.host
  const pathOf = (file: string) => resolve(cwd, file)
  const secret = randomBytes(32)
  const roots = inputs.flatMap((input) => rootOf(pathOf(input)))
  let files = new LocalFiles([], secret)
  let usual: readonly LoadedDocument[] = []
  let loaded: Loaded | undefined
  let last: PreviewCatalog | undefined

  const documentVersions = () => fileVersions(inputs, context.host)

  /** The version of documents on disk, and of the files that they are known to name. */
  const version = async (): Promise<string> =>
    hashOf([...(await documentVersions()), ...[...files.versions.keys()].map(withVersion)])

  async function load(): Promise<PreviewCatalog> {
    const versions = await documentVersions()
    const publisher = givenPublisher ?? (await knownPublisher(context))
    const ports = await localPorts(context)
    // Repositories may have changed since.
    const source = { ...sourceOf(context), git: undefined }
    loaded = await loadDocuments(inputs, { ...source, publisher, localPorts: ports, ifWhole: wholeRules })
    const { documents, outdated } = usable(loaded, usual)
    usual = documents
    files = new LocalFiles(roots, secret)
    const subjects = subjectsOf(documents, { pathOf, files })
    const lineAt = lineReader(loaded.sources)
    const problems = loaded.problems.map((problem) => problemOf(problem, lineAt))
    return { subjects, problems, outdated, version: hashOf([...versions, ...files.versions]) }
  }

  return {
    version,
    files: () => files,
    loaded: () => loaded,
    async read() {
      if (last === undefined || last.version !== (await version())) last = await load()
      return last
    },
  }
}

/** The documents on disk and the files that describe their catalogs, each with its version. */
export async function fileVersions(inputs: readonly string[], place: Place): Promise<FileVersion[]> {
  const projectOf = projectFinder(place)
  const { files } = await findInputs(inputs, place, projectOf)
  const documents = files.flatMap(({ path }) => path ?? [])
  const projects = await Promise.all([...new Set(documents.map(dirname))].map(projectOf))
  const described = new Set(projects.flatMap((project) => project?.folder ?? []))
  return [...documents, ...[...described].map((folder) => join(folder, projectFileName))].map(withVersion)
}

type FileVersion = readonly [path: string, version: string]
const withVersion = (path: string): FileVersion => [path, versionOf(path)]

const hashOf = (versions: readonly FileVersion[]): string =>
  createHash('sha256').update(JSON.stringify(versions)).digest('hex').slice(0, 16)

/**
 * The folder whose files resources may name: an input itself, or the folder of a file. It is looked at once, as another user
 * can replace an input by a link; none where it is a link of another user to what is not theirs.
 */
function rootOf(input: string): string[] {
  try {
    const path = realPath(ownPath(input))
    return [statSync(path).isDirectory() ? path : dirname(path)]
  } catch {
    return []
  }
}

/** Valid documents; of a file with errors those that it had before, if it had any. */
function usable({ documents, problems }: Loaded, before: readonly LoadedDocument[]) {
  const broken = new Set(problems.filter(isError).map(({ file }) => file))
  const earlier = before.filter(({ file }) => broken.has(file))
  const outdated = [...new Set(earlier.map(({ file }) => file))]
  const current = documents.filter(({ valid, file }) => valid && !outdated.includes(file))
  return { documents: [...current, ...earlier], outdated }
}

function problemOf(problem: Problem, lineAt: LineReader): PreviewProblem {
  const { file, line, severity, rule, message, hint } = problem
  const source = line === undefined ? undefined : lineAt(file, line)
  return {
    place: problemPlace(problem),
    severity: severity === 'error' ? 'error' : 'warning',
    rule,
    message,
    ...(hint !== undefined && { hint }),
    ...(source !== undefined && { source: source.slice(0, 200) }),
  }
}
