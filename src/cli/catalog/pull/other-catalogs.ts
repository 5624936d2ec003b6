import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { projectFinder } from '../../../documents/load/project.ts'
import { holdsAbandoned } from '../../../whole-file.ts'
import type { Context } from '../../context.ts'
import { shellWord, styled } from '../../io/text.ts'
import { otherNamed } from '../catalog-names.ts'
import { labelKey, ownersOf } from '../owners.ts'
import type { Pulled } from './documents.ts'
import type { ExistingCatalog } from './existing-catalog.ts'

/** Whose the records are that no file has. */
export interface Owning {
  /** The other catalog that owns a record; undefined if none with a name is known to. */
  readonly otherOf: (one: Pulled) => string | undefined
  /** Whether no catalog with a name is known to own a record. */
  readonly isUnowned: (one: Pulled) => boolean
}

/** How a new folder sees them: nothing is left out, or asked about. */
export const anyOwner: Owning = { otherOf: () => undefined, isUnowned: () => false }

/** How the catalog of a folder sees the records. A record without an owner belongs to that of its template. */
export async function owningOf(dir: string, existing: ExistingCatalog, context: Context): Promise<Owning> {
  const { cwd } = context.host
  const root = resolve(cwd, dir)
  const catalog = (await projectFinder(cwd)(root))?.catalog ?? folderCatalog(root, existing)
  if (catalog === undefined) return anyOwner
  const { owners } = await ownersOf(context)
  const ownerOf = ({ label, key, template }: Pulled) =>
    owners[label] ?? owners[key] ?? owners[labelKey({ kind: 'template', key: template })]
  const otherOf = (one: Pulled) => otherNamed(ownerOf(one), [catalog])
  return { otherOf, isUnowned: (one) => ownerOf(one) !== catalog && otherOf(one) === undefined }
}

/** What a folder without a name is known by, if it has documents; undefined also for what a killed pull left of a new one. */
const folderCatalog = (root: string, { documents }: ExistingCatalog): string | undefined =>
  documents.length > 0 && !holdsAbandoned(root) ? realpathSync(root) : undefined

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
