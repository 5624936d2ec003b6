import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { anyObject, flag, recordName } from '../schema/scalars.ts'
import { Eos, Eth } from '../vatom/eth.ts'
import { VatomOverlay } from '../vatom/section.ts'
import { ofRecord } from './of-record.ts'
import { RecordMeta } from './template-schemas.ts'

const configuration = lazy(() => ({
  unpublished: flag('true: a draft. false: published, which is final.'),
  public: flag('Whether others may read the variation.'),
  auto_create_on_acquire: flag('Acquiring the variation makes a new vAtom.'),
  cloning_gain: z.number().min(0).max(1).optional().describe('What a clone adds to cloning_score; 0.25 when omitted.'),
}))
const maxClones = lazy(() =>
  z.int().min(1, { error: 'must be at least 1; leave it out for any number of clones' }).max(1_000_000_000),
)
const notOverwritten = {
  cloneable: 'the template fixes cloneable; a variation cannot overwrite it',
  redeemable: 'write it under vatom, vAtom::vAtomType',
}
const fixed = { template: 'it cannot be changed', template_variation: 'a name cannot be changed' }

/** Body of Create Template Variation. Spec 2.5. */
export const VariationDocument = named(
  'Variation',
  () =>
    z.strictObject({
      template_variation: recordName().describe('<template>::<Variation_Name>, unique.'),
      template: recordName().describe('The template it is a variation of.'),
      ...configuration(),
      max_clones: maxClones().optional().describe('How many clones may be made in all; omitted: any number.'),
      eth: Eth().optional(),
      eos: Eos().optional(),
      vatom: VatomOverlay().optional().describe('What to overwrite; the rest is the template’s.'),
    }),
  'Overwrites values of a template.',
  { ...notOverwritten, ...ofRecord('vatom variation get NAME --yaml') },
)
export type VariationDocument = ValueOf<typeof VariationDocument>

/**
 * Body of Update Template Variation: the fields to replace, whole; `null` removes one. `{unpublished: false}`
 * publishes. Spec 3.
 */
export const VariationUpdate = named(
  'VariationUpdate',
  () =>
    z.strictObject({
      ...configuration(),
      max_clones: maxClones().nullable().optional().describe('null: any number.'),
      eth: Eth().nullable().optional().describe('null removes the variation’s own section.'),
      eos: Eos().nullable().optional().describe('null removes the variation’s own section.'),
      vatom: VatomOverlay().optional(),
    }),
  'Fields of a draft variation to replace.',
  { ...notOverwritten, ...fixed },
)

/** A stored variation as the service answers it; `properties.template_variation` is the resolved vAtom. */
export const VariationRecord = named('VariationRecord', () =>
  z.looseObject({
    name: z.string(),
    public: z.boolean(),
    meta: RecordMeta(),
    properties: z.looseObject({
      template: z.string(),
      publisher_fqdn: z.string(),
      unpublished: z.boolean(),
      auto_create_on_acquire: z.boolean().optional(),
      cloning_gain: z.number().optional(),
      max_clones: z.int().nullable().optional().describe('null: any number.'),
      num_vatoms: z.int().optional().describe('Of a draft: how many vAtoms it has that are not trashed.'),
      num_trashed: z.int().optional().describe('Of a draft: how many of its vAtoms were trashed or redeemed.'),
      num_clones: z.int().optional().describe('How many clones were made.'),
      max_clones_reached: z.boolean().optional(),
      template_variation: anyObject().describe('The vAtom that it makes.'),
      overrides: anyObject().optional().describe('The values that the variation itself sets.'),
    }),
  }),
)
export type VariationRecord = ValueOf<typeof VariationRecord>
/** An element of List Template Variations: the fields asked for, the name alone by default. */
export const VariationListing = named('VariationListing', () => z.looseObject({ name: z.string().optional() }))

/** Body of Emit vAtom. */
export const Emission = named('Emission', () =>
  z.strictObject({
    template_variation: recordName().describe('The variation to emit.'),
    num: z.int().min(1).max(limits.emit).describe('How many; a draft can have at most 10 vAtoms in all.'),
  }),
)
/** Payload of Emit vAtom. */
export const EmissionResult = named('EmissionResult', () =>
  z.looseObject({
    num_created: z.int(),
    num_errors: z.int(),
    num_contents: z
      .int()
      .optional()
      .describe('How many vAtoms were made inside the others, which num_created leaves out.'),
    ids: z.array(z.string()),
  }),
)
