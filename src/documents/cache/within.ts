import { resolve } from 'node:path'
import { isWithin } from '../../file-system.ts'
import { findInputs, type InputFile, type Inputs, isProjectFile, notCheckedOut } from '../load/inputs.ts'
import type { Problem } from '../load/loaded.ts'
import { hasProblems } from '../load/problems.ts'
import { type Place, projectFinder, runPlace } from '../load/project.ts'
import type { RunFile } from './incremental.ts'
import type { FileFacts } from './validation-cache.ts'

/** Files that are given, together with the catalog that they are checked within. */
interface InputsWithin extends Omit<Inputs, 'namedAsFiles'> {
  /** Absolute paths of the files that were given. */
  readonly own: ReadonlySet<string | undefined>
  /** Files that were given and are in the folder of the catalog, but that the catalog ignores. */
  readonly ignored: readonly string[]
}

/** Finds inputs and the files of a catalog. In its folder it says which files are its own, whether they are named or not. */
export async function findWithin(inputs: readonly string[], folder: string, where: Place): Promise<InputsWithin> {
  const place = runPlace(where)
  const { cwd } = place
  const given = await findInputs(inputs, place)
  const catalog = await findInputs([folder], place)
  const known = new Map(catalog.files.map((one) => [one.path, one]))
  const isIgnored = ({ path }: InputFile) =>
    path !== undefined && !known.has(path) && isWithin(resolve(cwd, folder), path)
  const files = given.files
    .filter((one) => !isIgnored(one))
    .map((one) => {
      const there = known.get(one.path)
      return there ? { ...there, file: one.file } : one
    })
  const own = new Set(files.map(({ path }) => path))
  const problems = distinct([...given.problems, ...catalog.problems])
  return {
    files: [...files, ...catalog.files.filter(({ path }) => !own.has(path))],
    isWhole: catalog.isWhole,
    isDescribed: catalog.isDescribed,
    problems: [
      ...problems,
      ...(await notCheckedOut([...inputs, folder], problems, { place, projectOf: projectFinder(place) })),
    ],
    sources: new Map([...given.sources, ...catalog.sources]),
    own,
    ignored: given.files.filter((one) => isIgnored(one) && !isProjectFile(one)).map(({ file }) => file),
  }
}

/** What is wrong with a folder that is given by itself and as the catalog is one problem. */
const distinct = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((one) => [JSON.stringify([one.file, one.line, one.rule, one.message]), one])).values(),
]

/**
 * The files of a catalog that say whether some of them fit it: those, and the files that have a problem and are of the same
 * templates, have documents of the same names, or name what one of those may have been called before; all, if the catalog has
 * none of those. `own` are their paths; a file without a path is one, too.
 */
export function filesConcerned(files: readonly RunFile[], own: ReadonlySet<string | undefined>): readonly RunFile[] {
  const isOwn = ({ input }: RunFile) => input.path === undefined || own.has(input.path)
  const ours = files.filter(isOwn)
  if (ours.length === 0) return files
  const families = new Set(ours.flatMap(({ facts }) => facts.families))
  const names = new Set(ours.flatMap(namesOf))
  const namesLost = losing(files, ours)
  const isConcerned = (file: RunFile) =>
    file.facts.families.some((name) => families.has(name)) ||
    namesOf(file).some((name) => names.has(name)) ||
    namesLost(file.facts)
  return files.filter((file) => isOwn(file) || (hasProblems(file.found) && isConcerned(file)))
}

const namesOf = ({ facts }: RunFile): string[] => facts.documents.map(({ name }) => name)

/** What documents name of each kind that can be renamed. */
const named = {
  templates: ({ families, queried }: FileFacts) => [...families, ...queried],
  variations: ({ children, queried }: FileFacts) => [...children, ...queried],
}

/** Says whether a file names something that no file has, of a kind that some of ours hold. */
function losing(files: readonly RunFile[], ours: readonly RunFile[]): (facts: FileFacts) => boolean {
  const held = new Set(files.flatMap(({ facts }) => [...facts.templates, ...facts.variations]))
  const lists = (['templates', 'variations'] as const).filter((list) =>
    ours.some(({ facts }) => facts[list].length > 0),
  )
  return (facts) => lists.some((list) => named[list](facts).some((name) => !held.has(name)))
}
