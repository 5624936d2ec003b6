import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Changes, Difference } from '../../contract/kinds/changes.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { limits } from '../../contract/limits.ts'
import { variationNameMeant } from '../../contract/rules/name-rules.ts'
import { projectFileName } from '../../contract/values.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { folderFrom, nearestWith } from '../../file-system.ts'
import { regularText } from '../../regular-file.ts'
import { exit, Failure } from '../failure/failure.ts'
import { quoted, shellWord } from '../io/text.ts'

/** Where files are named from, the documents in them, and which templates the files or the service have. */
export interface Existing {
  readonly cwd: string
  readonly documents: readonly LoadedDocument[]
  readonly hasTemplate: (name: string) => Promise<boolean>
}

/** Why a record cannot be changed to match its document; undefined if it can. Spec 3. */
export async function changeRefusal(
  document: LoadedDocument,
  changes: Changes,
  existing: Existing,
): Promise<Failure | undefined> {
  const { kind, name } = document
  const { differences, fixed, final } = changes
  if (final && differences.length > 0)
    return new Failure(
      'published',
      exit.refused,
      `${name} is published, which is final; the document differs in ${await listed(differences)}`,
      { hint: await nextStep(document, differences, existing) },
    )
  if (fixed.length > 0)
    return new Failure('fixed', exit.refused, `${name} cannot be changed in ${await named(fixed)}`, {
      hint: `delete it and create it again: vatom ${kind} delete ${shellWord(name)}`,
    })
  return undefined
}

/** The places of differences, as text. */
export const listed = (differences: readonly Difference[]): Promise<string> =>
  named(differences.map(({ path }) => path))

const named = async (paths: readonly string[]) => (await import('../../contract/schema/suggest.ts')).nameList(paths)

/**
 * The hint for a published record: what was published, where its file is behind that, and the next version of its template,
 * with a name that bump does not write.
 */
async function nextStep(
  document: LoadedDocument,
  differences: readonly Difference[],
  existing: Existing,
): Promise<string> {
  const meant = variationNameMeant(document.value)
  if (meant !== undefined && differences.some(({ path }) => path === 'template'))
    return `bump does not rename a variation whose name does not begin with that of its template; in ${document.file}, write template_variation: ${meant}`
  const next = `${await behindText(document, existing)}${await nextVersion(document, existing)}`
  return meant === undefined
    ? next
    : `${next}; then write its new name yourself, which bump does not do: its name does not begin with that of its template`
}

/** How to get what was published, where a file calls it a draft: before a next version of older files is made. */
async function behindText({ kind, file, value }: LoadedDocument, { cwd }: Existing): Promise<string> {
  if (value.unpublished !== true) return ''
  const template = kindOf(kind).templateOf(value) ?? ''
  // A hint must not end in a failure of its own.
  const folder = file === '<stdin>' ? 'DIR' : await pulledFolder(file, cwd).catch(() => undefined)
  const other =
    folder === undefined
      ? ''
      : `, or have what was published written into yours, which shows it and asks: vatom pull ${shellWord(folder)} --template ${quoted(template)}`
  return `its file calls it a draft, so it was published by other means, or from newer files: get those, as with git pull${other}; or, to replace it by what your files say, `
}

/** The folder of a file that pull writes to: that of its catalog, else its own, unless catalogs are in that. */
async function pulledFolder(file: string, cwd: string): Promise<string | undefined> {
  const [folder, dir] = [namedFolder(file, cwd), dirname(file)]
  if (folder !== undefined) return folder
  const { catalogsIn } = await import('../../documents/load/catalog-folder.ts')
  return catalogsIn(resolve(cwd, dir)).length === 0 ? dir : undefined
}

/**
 * How to replace what is published: the next version of a document's template, in all files of its catalog. Where that
 * exists, the first one after it that does not.
 */
export async function nextVersion({ kind, file, value }: LoadedDocument, existing: Existing) {
  const { parent, templateOf } = kindOf(kind)
  const whole =
    parent === undefined
      ? 'make the next version, in all files of the catalog'
      : 'make the next version of its template'
  const template = templateOf(value) ?? ''
  const paths = file === '<stdin>' ? ['PATH'] : await filesOfCatalog(file, template, existing)
  const { firstFreeVersion, nextVersion: following, versionOf } = await import('../../documents/edit/versions.ts')
  const next = following(template)
  // A hint must not end in a failure of its own.
  const free = await firstFreeVersion(template, existing.hasTemplate).catch(() => undefined)
  const isTaken = next !== undefined && free !== undefined && free !== next
  const [why, to] = isTaken ? [` (${versionOf(next)} exists)`, ` --to ${versionOf(free)}`] : ['', '']
  return `${whole}${why}: vatom template bump ${quoted(template)} ${paths.map(shellWord).join(' ')}${to}`
}

/** The folder of a file's catalog that has a vatom.yaml, the nearest one. */
function namedFolder(file: string, cwd: string): string | undefined {
  const folder = nearestWith(projectFileName, resolve(cwd, dirname(file)))
  return folder && folderFrom(cwd, folder)
}

/** The folder of a file's catalog: the nearest with a vatom.yaml, else its own; where others are in that, the files that name a template. */
async function filesOfCatalog(
  file: string,
  template: string,
  { cwd, documents }: Existing,
): Promise<readonly string[]> {
  const folder = namedFolder(file, cwd)
  if (folder !== undefined) return [folder]
  const dir = dirname(file)
  const beside = await filesBesideOthers(resolve(cwd, dir), template).catch(() => undefined)
  if (beside === undefined) return [dir]
  const given = documents.filter(({ value }) => JSON.stringify(value).includes(template)).map((one) => one.file)
  return [...new Set([file, ...given, ...beside.map((name) => join(dir, name))])]
}

/** The files of a folder that name a template; undefined if no folders with documents, which may be other catalogs, are beside them. */
async function filesBesideOthers(folder: string, template: string): Promise<readonly string[] | undefined> {
  const { isCatalogFolder } = await import('../../documents/load/catalog-folder.ts')
  const { isDocumentName } = await import('../../documents/load/inputs.ts')
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  if (!entries.some((entry) => entry.isDirectory() && isCatalogFolder(join(folder, entry.name)))) return undefined
  // Files name it by `$publisher`, too.
  const name = template.slice(template.indexOf('::'))
  const isNaming = (file: string) =>
    isDocumentName(file) && regularText(join(folder, file), limits.file)?.includes(name)
  return entries.flatMap((entry) => (entry.isFile() && isNaming(entry.name) ? [entry.name] : []))
}
