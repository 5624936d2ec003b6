import * as z from 'zod/v4'
import { DiscoverQuery } from './discover.ts'
import { named } from './registry.ts'
import { anyObject, currency, list, price, recordName, validity } from './scalars.ts'
import { ethTypes, networks, rootTypes, visibilities } from './values.ts'

const priceFields = {
  currency: currency.optional().meta({ description: 'Fiat currency code (ISO 4217).' }),
  price: price.optional().meta({ description: 'Price.' }),
  valid_from: validity.optional().meta({ description: 'First day of validity, or "*".' }),
  valid_through: validity.optional().meta({ description: 'Last day of validity, or "*".' }),
  vat_included: z.boolean().optional().meta({ description: 'Whether the price includes value added tax.' }),
}

/** Price value object; its fields may stand here or under a nested `value`. Spec 2.4. */
export const PriceValue = named(
  'PriceValue',
  z.strictObject({ ...priceFields, value: z.strictObject(priceFields).optional() }),
  'Price of a redeemable vAtom.',
)

/** `commerce` of a template. Spec 2.4. */
export const Commerce = named(
  'Commerce',
  z.strictObject({
    pricing: z
      .strictObject({
        pricingType: z.literal('Fixed', { error: 'must be "Fixed", the only supported pricing' }).optional(),
        value: PriceValue.optional(),
      })
      .optional()
      .meta({ description: 'Absent: the merchant redeems under terms agreed outside the service.' }),
  }),
  'Pricing of a redeemable vAtom.',
)

/** A state entry. Spec 2.4. */
export const StateEntry = named(
  'StateEntry',
  z.strictObject({
    name: z.literal('Activated', { error: 'must be "Activated", the only supported state' }),
    value: z.strictObject({
      type: z.literal('boolean', { error: 'must be "boolean", the only supported type' }),
      value: z.enum(['true', 'false'], { error: 'must be the string "true" or "false", in quotes' }),
    }),
    on_state_change: anyObject.optional().meta({ description: 'Not yet implemented by the platform.' }),
  }),
  'A state of the vAtom.',
)

const ResourceValue = z.strictObject({
  resourceValueType: z
    .string()
    .regex(/^ResourceValueType::.+/, { error: 'must look like ResourceValueType::URI' })
    .meta({ description: 'Kind of the value, for example ResourceValueType::URI.' }),
  value: z.string().meta({ description: 'The value, for example the address of an image.' }),
})
const resourceType = z
  .string()
  .regex(/^ResourceTypes?::[^:]+::[^:]+$/, { error: 'must look like ResourceType::Image::PNG' })
  .meta({ description: 'ResourceType::<Kind>::<Format>.' })

/** A resource entry. Spec 2.4. */
export const ResourceEntry = named(
  'ResourceEntry',
  z.strictObject({ name: recordName, resourceType, value: ResourceValue }),
  'A resource that faces refer to by name.',
)

/** Who can see a vAtom. Spec 2.4. */
export const Visibility = named(
  'Visibility',
  z.strictObject({
    type: z.enum(visibilities).optional().meta({ description: 'owner, public, or container: as the folder it is in.' }),
    value: z.literal('*', { error: 'must be "*", the only supported restriction' }).optional(),
  }),
  'Who can see the vAtom.',
)

/** How the children of a defined folder are created; the entry's shape is what the platform's records show. Spec 2.4. */
export const ChildPolicyEntry = named(
  'ChildPolicyEntry',
  z.strictObject({
    template_variation: recordName,
    count: z.int().min(0).optional(),
    creation_policy: z
      .strictObject({
        auto_create: z.string().optional(),
        auto_create_count: z.int().min(0).optional(),
        auto_create_count_random: z.boolean().optional(),
        weighted_choices: z.array(anyObject).nullable().optional(),
        policy_count_min: z.int().min(0).optional(),
        policy_count_max: z.int().min(0).optional(),
        enforce_policy_count_min: z.boolean().optional(),
        enforce_policy_count_max: z.boolean().optional(),
      })
      .optional(),
  }),
  'A kind of child that a defined folder is created with.',
)

const builtIn = {
  transferable: z.boolean().optional().meta({ description: 'Can be transferred with a Transfer Action.' }),
  acquirable: z.boolean().optional().meta({ description: 'Can be acquired with an Acquire Action.' }),
  redeemable: z.boolean().optional().meta({ description: 'Can be redeemed with a Redeem Action.' }),
  title: z.string().optional().meta({ description: 'Title or name.' }),
  description: z.string().optional().meta({ description: 'Describes the function.' }),
  category: z.string().optional().meta({ description: 'Used by viewers to group vAtoms.' }),
  commerce: Commerce.optional().meta({ description: 'Needed when redeemable is true; may be empty.' }),
  states: list(StateEntry).optional().meta({ description: 'None: the default Activated state.' }),
  visibility: Visibility.optional(),
  query: DiscoverQuery.optional().meta({ description: 'Finds the children of a discover container.' }),
  child_policy: list(ChildPolicyEntry).optional().meta({ description: 'Creates the children of a defined folder.' }),
}
const rootType = z.enum(rootTypes).meta({ description: 'Kind and version of the vAtom to create.' })

/** The built-in properties of a vAtom as a template sets them. Spec 2.4. */
export const VatomType = named(
  'VatomType',
  z.strictObject({ root_type: rootType, ...builtIn, resources: list(ResourceEntry).optional() }),
  'Built-in properties of the vAtom.',
)

/** The `vatom` section of a template. Spec 2.4. */
export const VatomSection = named(
  'VatomSection',
  z.strictObject({
    'vAtom::vAtomType': VatomType,
    private: anyObject.optional().meta({ description: 'Custom properties; built-in actions never change them.' }),
  }),
  'Structure of the vAtom, with defaults.',
)

/** The `vatom` section of a variation: any part of the template's, resources by name with their value. Spec 2.5. */
export const VatomOverlay = named(
  'VatomOverlay',
  z.strictObject({
    'vAtom::vAtomType': z
      .strictObject({
        root_type: rootType.optional(),
        ...builtIn,
        resources: list(
          z.strictObject({ name: recordName, resourceType: resourceType.optional(), value: ResourceValue }),
        ).optional(),
      })
      .optional(),
    private: anyObject.optional(),
  }),
  'What a variation overwrites.',
)

const ethField = (type: (typeof ethTypes)[number], value: z.ZodType) => z.strictObject({ type: z.literal(type), value })
const uint = z.union([z.int().min(0), z.string().regex(/^\d{1,78}$/)], {
  error: 'must be a whole number from 0 up, as a number or a string',
})
/** A field kept on chain: a JSON value of its type, or the string form of one. Spec 2.3. */
export const EthField = named(
  'EthField',
  z.discriminatedUnion(
    'type',
    [
      ethField('bool', z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })),
      ethField('uint', uint),
      ethField('string', z.string()),
    ],
    { error: `needs a type: ${ethTypes.join(', ')}` },
  ),
  'A value recorded in the smart contract.',
)

/** The `eth` section. Spec 2.3. */
export const Eth = named(
  'Eth',
  z.strictObject({
    network: z.enum(networks).meta({ description: 'Writes on mainnet are charged.' }),
    symbol: z.string().optional().meta({ description: "Omitted: the publisher's domain name." }),
    fields: z.record(recordName, EthField).meta({ description: 'Field name to field; {} records ownership alone.' }),
  }),
  'Properties recorded on a public blockchain.',
)

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
  z.strictObject({ ...configuration, eth: Eth.optional(), vatom: VatomSection.optional() }),
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
