import { dirname } from 'node:path'
import type { Changes, Difference } from '../../contract/kinds/changes.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { exit, Failure } from '../failure/failure.ts'

/** Why a record cannot be changed to match its document; undefined if it can. Spec 3. */
export async function changeRefusal(document: LoadedDocument, changes: Changes): Promise<Failure | undefined> {
  const { kind, name } = document
  const { differences, fixed, final } = changes
  if (final && differences.length > 0)
    return new Failure(
      'published',
      exit.refused,
      `${name} is published, which is final; the document differs in ${await listed(differences)}`,
      { hint: nextVersion(document) },
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

/** The hint for a published record: the next version of its template. */
const nextVersion = ({ kind, file, value }: LoadedDocument): string => {
  const { parent, templateOf } = kindOf(kind)
  const whole =
    parent === undefined
      ? 'make the next version, in all files of the catalog'
      : 'make the next version of its template'
  return `${whole}: vatom template bump '${templateOf(value)}' ${file === '<stdin>' ? 'PATH' : dirname(file)}`
}
