import { listAt } from '../../../contract/schema/path.ts'
import { builtIn, type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { VariationRow } from '../../store/variations.ts'

/** Where a vAtom begins: whose it is, in which folder, when. */
export interface Birth {
  readonly owner: string
  readonly parent: string
  readonly now: string
}

/** The folder of what is in no folder. */
export const root = '.'

const blankPrice = { currency: '', price: '', valid_from: '*', valid_through: '*', vat_included: false }

/** Built-in properties that the variation decides, every one that clients read with its default. */
function designed(resolved: Section): Section {
  const type = builtIn(resolved)
  const pricing = sectionOf(sectionOf(type.commerce).pricing)
  return {
    title: '',
    description: '',
    category: '',
    transferable: false,
    acquirable: false,
    redeemable: false,
    ...type,
    commerce: {
      ...sectionOf(type.commerce),
      pricing: { pricingType: '', ...pricing, value: { ...blankPrice, ...sectionOf(pricing.value) } },
    },
    states: listAt(type, 'states').map((state) => ({ on_state_change: { reactor: '' }, ...sectionOf(state) })),
  }
}

/** Built-in properties that the vAtom's life decides. */
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
  geo_pos: { type: 'Point', coordinates: [0, 0], $reql_type$: 'GEOMETRY' },
  dropped: false,
})

/** The vAtom that a variation makes of its template, as it is stored. */
export const resolvedOf = (variation: VariationRow): Section => sectionOf(JSON.parse(variation.resolved))

/** A vAtom as it is answered, without its id: every key that clients need is there. */
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

/** A vAtom of a draft after the draft has changed: what its life decided stays, who sees a dropped one included. */
export function redesigned(vatom: Section, variation: VariationRow, now: string): Section {
  const before = builtIn(vatom)
  const lived = Object.keys(living(variation, { owner: '', parent: '', now }))
  const lasting = [...lived, ...(before.dropped === true ? ['visibility'] : [])].map((key) => [key, before[key]])
  return {
    ...vatom,
    unpublished: variation.unpublished === 1,
    sync: Number(vatom.sync) + 1,
    when_modified: now,
    ...sections(resolvedOf(variation), Object.fromEntries(lasting)),
  }
}

const sections = (resolved: Section, life: Section): Section => ({
  'vAtom::vAtomType': { ...designed(resolved), ...life },
  private: resolved.private ?? {},
  eth: resolved.eth ?? {},
  eos: resolved.eos ?? {},
})

/** What a search needs to know of a vAtom beside its text. */
export interface Searchable {
  readonly category: string
  readonly visibility_type: string
  readonly acquirable: boolean
}

/** The searchable fields that a variation decides. */
export function searchable(vatom: Section): Searchable {
  const type = builtIn(vatom)
  return {
    category: String(type.category),
    visibility_type: String(sectionOf(type.visibility).type),
    acquirable: type.acquirable === true,
  }
}

/** Whether everybody may find a vAtom: `container` takes its folder's visibility. Spec 2.4. */
export const isPublic = (visibilityType: string, folderIsPublic: boolean): boolean =>
  visibilityType === 'public' || (visibilityType === 'container' && folderIsPublic)
