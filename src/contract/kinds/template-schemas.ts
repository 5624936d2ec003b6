import * as z from 'zod/v4'
import { paging } from '../api/paging.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { anyObject, flag, recordName } from '../schema/scalars.ts'
import { Eos, Eth } from '../vatom/eth.ts'
import { VatomSection } from '../vatom/section.ts'
import { ofRecord } from './of-record.ts'

const configuration = lazy(() => ({
  cloneable: flag('Whether a Clone Action may share the vAtoms. Fixed.'),
  unpublished: flag('true: a draft. false: published, which is final.'),
  public: flag('Whether others may read the template.'),
}))

/** Body of Create Template. Spec 2.2, 4.6. */
export const TemplateDocument = named(
  'Template',
  () =>
    z.strictObject({
      template: recordName().describe('<publisher_fqdn>::<Template_Name>::v<N>, unique.'),
      ...configuration(),
      eth: Eth().optional(),
      eos: Eos().optional(),
      vatom: VatomSection(),
    }),
  'Blueprint of a vAtom.',
  { name: 'write the name of the template into template', ...ofRecord('vatom template get NAME --yaml') },
)
export type TemplateDocument = ValueOf<typeof TemplateDocument>

/** Body of Update Template: the fields to replace, whole; `eth: null` removes the section. `{unpublished: false}` publishes. Spec 3. */
export const TemplateUpdate = named(
  'TemplateUpdate',
  () =>
    z.strictObject({
      ...configuration(),
      eth: Eth().nullable().optional().describe('null: none.'),
      eos: Eos().nullable().optional().describe('null: none.'),
      vatom: VatomSection().optional(),
    }),
  'Fields of a draft template to replace.',
  { template: 'a name cannot be changed' },
)

const meta = lazy(() =>
  z.looseObject({
    created_by: z.string(),
    when_created: z.string(),
    modified_by: z.string(),
    when_modified: z.string(),
    data_type: z.string(),
  }),
)
/** `meta` of a publisher's record. */
export const RecordMeta = named('RecordMeta', meta, 'Who made and changed a record, and when (UTC).')

/** A stored template as the service answers it. */
export const TemplateRecord = named('TemplateRecord', () =>
  z.looseObject({
    name: z.string(),
    public: z.boolean(),
    meta: RecordMeta(),
    properties: z.looseObject({
      publisher_fqdn: z.string(),
      unpublished: z.boolean(),
      cloneable: z.boolean(),
      template: anyObject().describe('The `vatom` section, defaults filled in.'),
      eth: anyObject().optional().describe('Omitted if there is none.'),
      eos: anyObject().optional().describe('Omitted if there is none.'),
    }),
  }),
)
export type TemplateRecord = ValueOf<typeof TemplateRecord>
/** An element of List Templates: the fields asked for, the name alone by default. */
export const TemplateListing = named('TemplateListing', () => z.looseObject({ name: z.string().optional() }))

const sparse = lazy(() => ({
  fields: z.string().optional().describe('Sparse selection: name,properties(publisher_fqdn).'),
}))

/** Query of List Templates. */
export const ListQuery = lazy(() => z.object({ ...sparse(), ...paging() }))
/** Query of List Template Variations. */
export const VariationListQuery = lazy(() =>
  z.object({
    template: recordName().optional().describe('Only variations of this template.'),
    ...sparse(),
    ...paging(),
  }),
)
