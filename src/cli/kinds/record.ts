import type { ActionRecord } from '../../contract/kinds/action-schemas.ts'
import type { TemplateRecord } from '../../contract/kinds/template-schemas.ts'
import type { VariationRecord } from '../../contract/kinds/variation-schemas.ts'
import { sectionOf } from '../../contract/vatom/complete.ts'
import { withoutStateChange } from '../../contract/vatom/states.ts'

type Document = Record<string, unknown>

/** A template's record as the document a publisher would write. */
export const templateDocument = ({ name, public: isPublic, properties }: TemplateRecord): Document => ({
  template: name,
  cloneable: properties.cloneable,
  unpublished: properties.unpublished,
  public: isPublic,
  ...present({ eth: properties.eth, eos: properties.eos }),
  vatom: withoutStateChange(properties.template),
})

/** A variation's record as the document a publisher would write: what the variation itself says. Spec 2.5. */
export function variationDocument(record: VariationRecord): Document {
  const { vatom, eth, eos } = sectionOf(record.properties.overrides)
  return { ...variationHead(record), ...present({ eth, eos, vatom: vatom && withoutStateChange(sectionOf(vatom)) }) }
}

function variationHead({ name, public: isPublic, properties }: VariationRecord): Document {
  const { template, unpublished, auto_create_on_acquire, cloning_gain, max_clones } = properties
  return {
    template_variation: name,
    template,
    unpublished,
    public: isPublic,
    ...present({ auto_create_on_acquire, cloning_gain, max_clones }),
  }
}

/** An action's record as a document: those of its properties that a document can have. */
export const actionDocument = ({ name, properties }: ActionRecord, fields: readonly string[]): Document => ({
  ...Object.fromEntries(fields.filter((field) => Object.hasOwn(properties, field)).map((f) => [f, properties[f]])),
  name,
})

/** What is there of an object's fields. */
const present = (fields: Document): Document =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
