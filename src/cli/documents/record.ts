import type { TemplateRecord } from '../../contract/template.ts'
import type { VariationRecord } from '../../contract/variation.ts'

/** A template's record as the document a publisher would write. */
export const templateDocument = ({ name, public: isPublic, properties }: TemplateRecord): Record<string, unknown> => ({
  template: name,
  cloneable: properties.cloneable,
  unpublished: properties.unpublished,
  public: isPublic,
  ...(properties.eth !== undefined && { eth: properties.eth }),
  vatom: properties.template,
})

/** A variation's record as a document: the resolved vAtom, with its eth section beside it. */
export function variationDocument({ name, public: isPublic, properties }: VariationRecord): Record<string, unknown> {
  const { eth, ...vatom } = properties.template_variation
  return {
    template_variation: name,
    template: properties.template,
    unpublished: properties.unpublished,
    public: isPublic,
    ...(eth !== undefined && { eth }),
    vatom,
  }
}
