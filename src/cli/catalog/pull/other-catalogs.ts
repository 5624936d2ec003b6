import { resolve } from 'node:path'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { projectFinder } from '../../../documents/load/project.ts'
import type { Context } from '../../context.ts'
import { shellWord, styled } from '../../io/text.ts'
import { otherNamed } from '../catalog-names.ts'
import { labelKey, ownersOf } from '../owners.ts'
import type { Pulled } from './documents.ts'

/** The other catalog that owns a record; undefined if none is known to. */
export type OtherOwner = (one: Pulled) => string | undefined

/** The owners of what a catalog with a name leaves out. A record without an owner belongs to that of its template. */
export async function otherOwners(dir: string, context: Context): Promise<OtherOwner> {
  const { cwd } = context.host
  const catalog = (await projectFinder(cwd)(resolve(cwd, dir)))?.catalog
  if (catalog === undefined) return () => undefined
  const { owners } = await ownersOf(context)
  return ({ label, key, template }) =>
    otherNamed(owners[label] ?? owners[key] ?? owners[labelKey({ kind: 'template', key: template })], catalog)
}

/** A record that is not written, because another catalog owns it. */
export interface LeftOut extends Pick<Pulled, 'kind' | 'name'> {
  readonly catalog: string
}

/** Says what was left out, and how to get it. */
export function noteLeftOut(leftOut: readonly LeftOut[], dir: string, { output }: Pick<Context, 'output'>): void {
  if (leftOut.length === 0) return
  const counts = [...groupBy(leftOut, ({ catalog }) => catalog)].map(([catalog, all]) => `${all.length} of ${catalog}`)
  output.note(
    styled`${plural(leftOut.length, 'document')} of other catalogs ${leftOut.length === 1 ? 'was' : 'were'} left out (${counts.join(', ')}); to write them too: ${output.hint(`vatom pull ${shellWord(dir)} --all-catalogs`)}`,
  )
}
