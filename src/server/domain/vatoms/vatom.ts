import { listAt } from '../../../contract/schema/path.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import { completeEntry } from '../../../contract/vatom/child-policy.ts'
import { builtIn, type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { bit } from '../../store/table.ts'
import type { VariationRow } from '../../store/variations.ts'
import { onceFor, parsedRecord } from './alike-sections.ts'
import { carriedChange } from './carried-change.ts'

/** The owner, the folder and the time of a new vAtom. */
interface Birth {
  readonly owner: string
  readonly parent: string
  readonly now: string
}

/** The `geo_pos` of a vAtom that is not dropped. */
export const nowhereOnMap = { type: 'Point', coordinates: [0, 0], $reql_type$: 'GEOMETRY' }

const blankPrice = { currency: '', price: '', valid_from: '*', valid_through: '*', vat_included: false }

/** Built-in properties that the variation determines; those that clients read have defaults. */
const designed = onceFor((resolved: Section): Section => {
  const type = builtIn(resolved)
  const pricing = sectionOf(sectionOf(type.commerce).pricing)
  return {
    title: '',
    description: '',
    category: '',
    transferable: true,
    acquirable: false,
    redeemable: false,
    ...type,
    commerce: {
      ...sectionOf(type.commerce),
      pricing: { pricingType: '', ...pricing, value: { ...blankPrice, ...sectionOf(pricing.value) } },
    },
    ...(Array.isArray(type.child_policy) && { child_policy: type.child_policy.map(completeEntry) }),
    states: listAt(type, 'states').map((state) => ({ on_state_change: { reactor: '' }, ...sectionOf(state) })),
  }
})

/** Built-in properties that change while a vAtom exists, as a new one has them. */
const living = (variation: VariationRow, { owner, parent }: Birth): Section => ({
  parent_id: parent,
  publisher_fqdn: variation.publisher_fqdn,
  owner,
  author: owner,
  template: variation.template,
  template_variation: variation.name,
  notify_msg: '',
  tags: [],
  disabled: false,
  tradeable: false,
  transferred_by: '',
  cloned_from: '',
  cloning_score: 0,
  num_direct_clones: 0,
  in_contract: false,
  in_contract_with: '',
  geo_pos: nowhereOnMap,
  dropped: false,
})

/** The sections of the vAtoms of a variation: its template's, with what it overwrites. */
export const resolvedOf = onceFor((variation: VariationRow): Section => parsedRecord(variation.resolved))

/** A new vAtom as it is answered, without its id; it has every key that clients need. */
export function newVatom(variation: VariationRow, resolved: Section, birth: Birth): Section {
  return {
    version: 'v1::vAtomType',
    unpublished: variation.unpublished === 1,
    sync: 1,
    when_created: birth.now,
    when_modified: birth.now,
    when_added: birth.now,
    ...sections(resolved, living(variation, birth)),
  }
}

/**
 * What a change of a variation makes of each of its vAtoms, or undefined if it concerns none. Values that are the same
 * before and after it stay as actions left them, as do owner, folder, place and the like, and who sees a dropped one.
 */
export function redesign(before: VariationRow, after: VariationRow, now: string) {
  const isSame = after.resolved === before.resolved
  const carry = isSame ? undefined : carriedChange(sections(resolvedOf(before)), sections(resolvedOf(after)))
  if (!carry && after.unpublished === before.unpublished) return undefined
  const lived = Object.keys(living(after, { owner: '', parent: '', now }))
  return (vatom: Section): Section => ({
    ...(carry ? carried(vatom, carry, lived) : vatom),
    unpublished: after.unpublished === 1,
    sync: Number(vatom.sync) + 1,
    when_modified: now,
  })
}

/** The changed sections of a vAtom; its built-in properties of these names stay. */
function carried(vatom: Section, carry: (value: unknown) => unknown, names: readonly string[]): Section {
  const type = builtIn(vatom)
  const lasting = [...names, ...(type.dropped === true ? ['visibility'] : [])].map((key) => [key, type[key]])
  const changed = sectionOf(carry(vatom))
  return { ...changed, [vatomTypeKey]: { ...builtIn(changed), ...Object.fromEntries(lasting) } }
}

const sections = (resolved: Section, life: Section = {}): Section => ({
  [vatomTypeKey]: { ...designed(resolved), ...life },
  private: resolved.private ?? {},
  eth: resolved.eth ?? {},
  eos: resolved.eos ?? {},
})

/** Values of a vAtom that searches look at: its variation determines them. */
export function searchable(vatom: Section) {
  const type = builtIn(vatom)
  return {
    category: String(type.category),
    visibility_type: String(sectionOf(type.visibility).type),
    acquirable: bit(type.acquirable === true),
  }
}

/** Whether everybody may find a vAtom: `container` takes its folder's visibility. Spec 2.4. */
export const isPublic = (visibilityType: string, folderIsPublic: boolean): boolean =>
  visibilityType === 'public' || (visibilityType === 'container' && folderIsPublic)
