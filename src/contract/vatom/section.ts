import * as z from 'zod/v4'
import { DiscoverQuery } from '../api/discover.ts'
import { limits } from '../limits.ts'
import { whenMissing, whenText } from '../schema/issues.ts'
import { lazy, named } from '../schema/lazy-schema.ts'
import { anyObject, flag, list, recordName, text } from '../schema/scalars.ts'
import { rootTypes, vatomTypeKey, visibilities } from '../values.ts'
import { Commerce } from './commerce.ts'
import { type Section, sectionOf } from './complete.ts'
import { ResourceEntry, ResourceValue, resourceType, StateEntry } from './entries.ts'

/** Who can see a vAtom. Spec 2.4. */
const Visibility = named(
  'Visibility',
  () =>
    z.strictObject(
      {
        type: z.enum(visibilities).optional().describe('owner, public, or container (the visibility of its folder).'),
        value: z
          .literal('*', { error: 'must be "*", the only supported restriction' })
          .optional()
          .describe('Only "*" is supported: no further restriction.'),
      },
      whenText((text) =>
        visibilities.some((one) => one === text)
          ? `write { type: ${text} }`
          : 'write { type: public } for everybody, { type: owner } for the owner alone',
      ),
    ),
  'Who can see the vAtom.',
)

const childCount = lazy(() => z.int().min(0).max(limits.list))

/** How the children of a defined folder are created and how many there may be; the shape is what the platform's records show. Spec 2.4. */
const ChildPolicyEntry = named(
  'ChildPolicyEntry',
  () =>
    z.strictObject({
      template_variation: recordName().describe('The variation the children are of.'),
      count: childCount().optional().describe('How many children it is created with; 1 when omitted.'),
      creation_policy: z
        .strictObject(
          {
            auto_create: z
              .literal('create_new', { error: 'must be "create_new", the only supported way' })
              .optional()
              .describe('Only create_new is supported: children are new vAtoms.'),
            auto_create_count: childCount().optional().describe('The same as count.'),
            auto_create_count_random: flag(
              'Draws the number for each folder: from policy_count_min (0 when omitted) up to count.',
            ),
            weighted_choices: z
              .null({ error: 'must be null: a choice among variations is not supported' })
              .optional()
              .describe('Only null is supported: no choice among variations.'),
            policy_count_min: childCount().optional().describe('The least number of children, if it is enforced.'),
            policy_count_max: childCount().optional().describe('The greatest number of children, if it is enforced.'),
            enforce_policy_count_min: flag(
              'true: no child can be moved out if fewer than policy_count_min would be left.',
            ),
            enforce_policy_count_max: flag('true: no child can be moved in beyond policy_count_max.'),
          },
          whenText(() => 'write { auto_create: create_new }'),
        )
        .optional()
        .describe('How the children are created, and how many there may be.'),
    }),
  'A variation whose vAtoms a defined folder is created with and may contain.',
)

const builtIn = lazy(() => ({
  transferable: flag('Can be transferred with a Transfer Action; true when omitted.'),
  acquirable: flag('Can be acquired with an Acquire Action.'),
  redeemable: flag('Can be redeemed with a Redeem Action, by its owner or any merchant.'),
  title: z.string().optional().describe('Title or name.'),
  description: z.string().optional().describe('Describes the function.'),
  category: text(limits.category).optional().describe('Used by viewers to group vAtoms.'),
  commerce: Commerce().optional().describe('Needed when redeemable is true; may be empty.'),
  states: list(StateEntry()).optional().describe('Omitted or empty: only the default state Activated.'),
  visibility: Visibility().optional().describe('Who can see the vAtom; only its owner when omitted.'),
  query: DiscoverQuery().optional().describe('Finds the children of a discover container.'),
  child_policy: list(ChildPolicyEntry(), limits.childPolicy)
    .optional()
    .describe('The children of a defined folder: which, and how many.'),
}))
const rootType = lazy(() =>
  z
    .enum(rootTypes, whenMissing('write root_type: vAtom::vAtomType if it is no folder, package or the like'))
    .describe('Kind and version of the vAtom to create.'),
)

const validity = 'a vAtom does not expire, its price does: write valid_through in commerce.pricing.value'
const kind = 'write root_type for what it is to the platform, category for how viewers group it, private for the rest'
const elsewhere = {
  expires: validity,
  expires_at: validity,
  expiry: validity,
  valid_through: validity,
  kind,
  type: kind,
}

/** The built-in properties of a vAtom as a template sets them. Spec 2.4. */
const VatomType = named(
  'VatomType',
  () =>
    z.strictObject({
      root_type: rootType(),
      ...builtIn(),
      resources: list(ResourceEntry()).optional().describe('Resources that faces refer to.'),
    }),
  'Built-in properties of the vAtom.',
  elsewhere,
)

const misplaced = {
  eth: 'write eth beside vatom, not in it',
  eos: 'write eos beside vatom, not in it',
  resources: 'write it under vAtom::vAtomType',
  states: 'write it under vAtom::vAtomType',
}

/** The `vatom` section of a template. Spec 2.4. */
export const VatomSection = named(
  'VatomSection',
  () =>
    z.strictObject({
      'vAtom::vAtomType': VatomType(),
      private: anyObject().optional().describe('Custom properties; built-in actions never change them.'),
    }),
  'Structure of the vAtom, with defaults.',
  misplaced,
)

const fields = lazy(() => Object.keys(VatomSection().shape[vatomTypeKey].shape))

/**
 * A stored `vatom` section as a document can have it: built-in fields in the order of the specification, without those
 * that a newer service has added.
 */
export function documentable(vatom: Section): Section {
  const type = sectionOf(vatom[vatomTypeKey])
  const known = fields()
    .filter((field) => Object.hasOwn(type, field))
    .map((field) => [field, type[field]])
  return { ...vatom, [vatomTypeKey]: Object.fromEntries(known) }
}

/** The `vatom` section of a variation: any part of the template's, resources by name with their value. Spec 2.5. */
export const VatomOverlay = named(
  'VatomOverlay',
  () =>
    z.strictObject({
      'vAtom::vAtomType': z
        .strictObject({
          root_type: rootType().optional(),
          ...builtIn(),
          resources: list(
            z.strictObject({
              name: recordName().describe('A name that the template has.'),
              resourceType: resourceType().optional(),
              value: ResourceValue(),
            }),
          )
            .optional()
            .describe("New values for the template's resources."),
        })
        .optional()
        .describe('Built-in properties to overwrite.'),
      private: anyObject().optional().describe('Custom properties to overwrite: those the template has.'),
    }),
  'What a variation overwrites.',
  misplaced,
)
