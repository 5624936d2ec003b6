import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { isWithin } from '../../file-system.ts'
import { regularText } from '../../regular-file.ts'

const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies']

/**
 * The folder of a repository in which `npm ci` installs vatom: the nearest, from one of some folders up, whose
 * package.json names it, or the one above it that has the lockfile of its workspace; undefined if none names it.
 */
export function npmProject(folders: readonly string[], root: string): string | undefined {
  const named = folders.flatMap((folder) => upTo(root, folder)).find(namesVatom)
  return named === undefined ? undefined : (upTo(root, named).find(hasLockfile) ?? named)
}

/** A folder of a repository, and those above it up to the repository itself; none for a folder elsewhere. */
function upTo(root: string, folder: string): string[] {
  if (!isWithin(root, folder)) return []
  return folder === root ? [root] : [folder, ...upTo(root, dirname(folder))]
}

/** Whether a folder has what `npm ci` installs from. */
export const hasLockfile = (folder: string) => existsSync(join(folder, 'package-lock.json'))

function namesVatom(folder: string): boolean {
  const file = join(folder, 'package.json')
  const project = existsSync(file) ? parseJson(regularText(file) ?? '') : undefined
  return dependencies.some((key) => at(project, key, 'vatom') !== undefined)
}

/** A pipeline whose npm project is in a folder of the repository: `app`. Its steps run in the repository itself, as before. */
export const installedIn = (folder: string, text: string): string =>
  text
    .replaceAll(/(?<=- (?:run: )?)npm ci\b/g, `npm ci --prefix ${folder}`)
    .replaceAll('npx --no ', `npx --prefix ${folder} --no `)
    .replaceAll('cache: npm }', `cache: npm, cache-dependency-path: ${folder}/package-lock.json }`)
    .replaceAll('files: [package-lock.json]', `files: [${folder}/package-lock.json]`)

/** The folder in which a pipeline installs vatom; undefined for the repository itself. */
export const installedBy = (text: string): string | undefined => /\bnpm ci --prefix (\S+)/.exec(text)?.[1]
