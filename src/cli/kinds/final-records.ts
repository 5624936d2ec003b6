import { dirname, resolve } from 'node:path'
import type { Changes, Difference } from '../../contract/kinds/changes.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { variationNameMeant } from '../../contract/rules/name-rules.ts'
import { projectFileName } from '../../contract/values.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { folderFrom, nearestWith } from '../../file-system.ts'
import { exit, Failure } from '../failure/failure.ts'
import { shellWord } from '../io/text.ts'

/** Why a record cannot be changed to match its document; undefined if it can. Spec 3. */
export async function changeRefusal(
  document: LoadedDocument,
  changes: Changes,
  cwd: string,
): Promise<Failure | undefined> {
  const { kind, name } = document
  const { differences, fixed, final } = changes
  if (final && differences.length > 0)
    return new Failure(
      'published',
      exit.refused,
      `${name} is published, which is final; the document differs in ${await listed(differences)}`,
      { hint: nextStep(document, differences, cwd) },
    )
  if (fixed.length > 0)
    return new Failure('fixed', exit.refused, `${name} cannot be changed in ${await named(fixed)}`, {
      hint: `delete it and create it again: vatom ${kind} delete ${name}`,
    })
  return undefined
}

/** The places of differences, as text. */
export const listed = (differences: readonly Difference[]): Promise<string> =>
  named(differences.map(({ path }) => path))

const named = async (paths: readonly string[]) => (await import('../../contract/schema/suggest.ts')).nameList(paths)

/** The hint for a published record: the next version of its template, and a name that bump does not write. */
function nextStep(document: LoadedDocument, differences: readonly Difference[], cwd: string): string {
  const meant = variationNameMeant(document.value)
  if (meant === undefined) return nextVersion(document, cwd)
  const isOfNext = differences.some(({ path }) => path === 'template')
  return isOfNext
    ? `bump does not rename a variation whose name does not begin with that of its template; in ${document.file}, write template_variation: ${meant}`
    : `${nextVersion(document, cwd)}; then write its new name yourself, which bump does not do: its name does not begin with that of its template`
}

/** How to replace what is published: the next version of a document's template, in all files of its catalog. */
export const nextVersion = ({ kind, file, value }: LoadedDocument, cwd: string): string => {
  const { parent, templateOf } = kindOf(kind)
  const whole =
    parent === undefined
      ? 'make the next version, in all files of the catalog'
      : 'make the next version of its template'
  const path = file === '<stdin>' ? 'PATH' : shellWord(catalogOf(file, cwd))
  return `${whole}: vatom template bump '${templateOf(value)}' ${path}`
}

/** The folder of a file's catalog: the nearest with a vatom.yaml, else its own. */
function catalogOf(file: string, cwd: string): string {
  const folder = nearestWith(projectFileName, resolve(cwd, dirname(file)))
  return folder === undefined ? dirname(file) : folderFrom(cwd, folder)
}
