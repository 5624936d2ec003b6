import { at } from '../../contract/path.ts'
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

/** A variation's record as people read it: the resolved vAtom. */
export const variationDocument = ({
  name,
  public: isPublic,
  properties,
}: VariationRecord): Record<string, unknown> => ({
  template_variation: name,
  template: properties.template,
  unpublished: properties.unpublished,
  public: isPublic,
  ...(at(properties, 'eth') !== undefined && { eth: properties.eth }),
  vatom: properties.template_variation,
})
