import * as z from 'zod/v4'
import { Eth } from './eth.ts'
import { refuses } from './reasons.ts'
import { named } from './registry.ts'
import { anyObject, recordName } from './scalars.ts'
import { VatomSection } from './vatom-section.ts'

const configuration = {
  cloneable: z.boolean().optional().meta({ description: 'Whether a Clone Action may share the vAtoms. Fixed.' }),
  unpublished: z.boolean().optional().meta({ description: 'true: a draft. false: published, which is final.' }),
  public: z.boolean().optional().meta({ description: 'Whether others may read the template.' }),
}

/** Body of Create Template. Spec 2.2, 4.6. */
export const TemplateDocument = named(
  'Template',
  z.strictObject({
    template: recordName.meta({ description: '<publisher_fqdn>::<Template_Name>::v<N>, unique.' }),
    ...configuration,
    eth: Eth.optional(),
    vatom: VatomSection,
  }),
  'Blueprint of a vAtom.',
)
export type TemplateDocument = z.output<typeof TemplateDocument>

/** Body of Update Template: the fields to replace, whole. `{unpublished: false}` publishes. Spec 3. */
export const TemplateUpdate = named(
  'TemplateUpdate',
  refuses(z.strictObject({ ...configuration, eth: Eth.optional(), vatom: VatomSection.optional() }), {
    template: 'a name cannot be changed',
  }),
  'Fields of a draft template to replace.',
)

const meta = z.looseObject({
  created_by: z.string(),
  when_created: z.string(),
  modified_by: z.string(),
  when_modified: z.string(),
  data_type: z.string(),
})
/** `meta` of a publisher's record. */
export const RecordMeta = named('RecordMeta', meta, 'Who made and changed a record, and when (UTC).')

/** A stored template as the service answers it. */
export const TemplateRecord = named(
  'TemplateRecord',
  z.looseObject({
    name: z.string(),
    public: z.boolean(),
    meta: RecordMeta,
    properties: z.looseObject({
      publisher_fqdn: z.string(),
      unpublished: z.boolean(),
      cloneable: z.boolean(),
      template: anyObject.meta({ description: 'The `vatom` section, defaults filled in.' }),
    }),
  }),
)
export type TemplateRecord = z.output<typeof TemplateRecord>
/** An element of List Templates: the fields asked for, the name alone by default. */
export const TemplateListing = named('TemplateListing', z.looseObject({ name: z.string().optional() }))

/** Query of List Templates and its like; `limit` 100 by default, 0 and above 1000 mean 1000; pages 0 and 1 are the first. */
export const ListQuery = named(
  'ListQuery',
  z.object({
    fields: z.string().optional().meta({ description: 'Sparse selection: name,properties(publisher_fqdn).' }),
    limit: z
      .string()
      .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
      .optional(),
    page: z
      .string()
      .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
      .optional(),
  }),
)
