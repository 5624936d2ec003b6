import * as z from 'zod/v4'
import { lazy, named } from '../schema/lazy-schema.ts'
import { anyObject, recordOf } from '../schema/scalars.ts'
import { rootTypes, visibilities } from '../values.ts'

const string = lazy(() => z.string())
const boolean = lazy(() => z.boolean())

const price = lazy(() =>
  z.looseObject({
    currency: string(),
    price: string(),
    valid_from: string(),
    valid_through: string(),
    vat_included: boolean(),
  }),
)

const child = lazy(() =>
  z.looseObject({
    template_variation: string(),
    count: z.int(),
    creation_policy: z.looseObject({
      auto_create: string(),
      auto_create_count: z.int(),
      auto_create_count_random: boolean(),
      policy_count_min: z.int(),
      policy_count_max: z.int(),
      enforce_policy_count_min: boolean(),
      enforce_policy_count_max: boolean(),
    }),
  }),
)

const name = 'VatomProperties'

named(
  name,
  () =>
    z.looseObject({
      parent_id: string().describe('The id of its folder, or "." for the root.'),
      publisher_fqdn: string(),
      root_type: z.enum(rootTypes),
      owner: string().describe('Id of a user.'),
      author: string().describe('Id of the user who emitted it.'),
      template: string(),
      template_variation: string(),
      title: string(),
      description: string(),
      category: string(),
      notify_msg: string(),
      tags: z.array(string()),
      disabled: boolean(),
      transferable: boolean(),
      acquirable: boolean(),
      tradeable: boolean(),
      redeemable: boolean(),
      transferred_by: string().describe('Id of the user who transferred it last, or empty.'),
      cloned_from: string().describe('Id of the vAtom that it is a clone of, or empty.'),
      cloning_score: z.number(),
      num_direct_clones: z.int(),
      in_contract: boolean(),
      in_contract_with: string(),
      commerce: z.looseObject({ pricing: z.looseObject({ pricingType: string(), value: price() }) }),
      states: z.array(z.looseObject({ name: string(), value: z.looseObject({ type: string(), value: string() }) })),
      resources: z.array(
        z.looseObject({
          name: string(),
          resourceType: string(),
          value: z.looseObject({ resourceValueType: string(), value: string() }),
        }),
      ),
      visibility: z.looseObject({ type: z.enum(visibilities), value: string() }),
      geo_pos: z.looseObject({ type: z.literal('Point'), coordinates: z.array(z.number()).min(2).max(2) }),
      dropped: boolean(),
      query: anyObject().optional().describe('Of a discover container.'),
      child_policy: z.array(child()).optional().describe('Of a defined folder.'),
    }),
  'Built-in properties of a vAtom.',
)

/** The built-in properties of a vAtom as clients receive them: mobile SDKs need each that is required. Spec 2.4. */
export const vatomProperties = lazy(() => recordOf(name))
