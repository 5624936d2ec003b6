import { groupBy } from '../../contract/schema/group-by.ts'
import { otherNamed } from './catalog-names.ts'
import { type OwnedRecord, type Owners, ownerOf } from './owners.ts'
import type { Deletion } from './plan/plan.ts'

/**
 * Which records are of catalogs with other names than the given ones: `of the catalog shop: variation acme.com::Tea::v1::Red`.
 * Undefined if none is.
 */
export function othersText(
  records: readonly (OwnedRecord & Pick<Deletion, 'name'>)[],
  owners: Owners,
  catalogs: readonly string[],
): string | undefined {
  const owned = records.flatMap((record) => {
    const catalog = otherNamed(ownerOf(record, owners), catalogs)
    return catalog === undefined ? [] : [{ catalog, text: `${record.kind} ${record.name}` }]
  })
  const groups = [...groupBy(owned, ({ catalog }) => catalog)]
  const texts = groups.map(
    ([catalog, those]) => `of the catalog ${catalog}: ${those.map(({ text }) => text).join(', ')}`,
  )
  return texts.join('; ') || undefined
}
