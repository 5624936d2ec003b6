import { resolveVatom } from '../../contract/overlay.ts'
import { overlayIssues } from '../../contract/overlay-rules.ts'
import type { VariationRecord } from '../../contract/variation.ts'
import { refusal } from '../http/validate.ts'
import type { TemplateRow } from '../store/templates.ts'
import type { VariationRow } from '../store/variations.ts'
import { flatPrices, type Section, sectionOf, typedEth } from './sections.ts'
import { ethOf, recordMeta, vatomOf } from './template.ts'

/** What a variation itself says. */
export interface Overrides {
  readonly vatom?: Section
  readonly eth?: Section
}

/** A variation's own part as it is kept: prices flat, eth values typed. */
export const keptOverrides = ({
  vatom,
  eth,
}: {
  vatom?: Section | undefined
  eth?: Section | undefined
}): Overrides => ({
  ...(vatom && { vatom: flatPrices(vatom) }),
  ...(eth && { eth: typedEth(eth) }),
})

/** What a stored variation itself says. */
export const overridesOf = (row: VariationRow): Overrides => sectionOf(JSON.parse(row.overrides))

/** The vAtom a variation makes. Throws `overlay` for what a variation may not overwrite. Spec 2.5. */
export function resolve(template: TemplateRow, overrides: Overrides): Section {
  const base = { vatom: vatomOf(template), eth: ethOf(template) }
  const issues = overlayIssues(overrides, base)
  if (issues.length > 0) throw refusal('overlay', issues)
  const vatom = resolveVatom(base.vatom, overrides.vatom)
  return { ...vatom, ...(base.eth && { eth: resolvedEth(base.eth, overrides.eth) }) }
}

const resolvedEth = (base: Section, over: Section = {}): Section => ({
  ...base,
  ...over,
  fields: { ...sectionOf(base.fields), ...sectionOf(over.fields) },
})

/** A variation as it is answered. */
export function variationRecord(row: VariationRow): VariationRecord {
  const resolved = sectionOf(JSON.parse(row.resolved))
  return {
    name: row.name,
    public: row.public === 1,
    meta: recordMeta(row, 'v1::TemplateVariationType'),
    properties: {
      template: row.template,
      publisher_fqdn: row.publisher_fqdn,
      unpublished: row.unpublished === 1,
      auto_create_on_acquire: row.auto_create_on_acquire === 1,
      num_clones: 0,
      max_clones_reached: false,
      template_variation: resolved,
      overrides: overridesOf(row),
    },
  }
}
