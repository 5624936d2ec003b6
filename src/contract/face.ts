import * as z from 'zod/v4'
import { named } from './registry.ts'
import { anyObject, list, recordName } from './scalars.ts'
import { platforms, qualities, viewModes } from './values.ts'

/** What a face needs and where it is shown. Spec 4.5. */
const FaceConstraints = named(
  'FaceConstraints',
  z.strictObject({
    bluetooth_le: z.boolean().meta({ description: 'Needs bluetooth.' }),
    contact_list: z.boolean().meta({ description: 'Needs the address book.' }),
    gps: z.boolean().meta({ description: 'Needs GPS.' }),
    three_d: z.boolean().meta({ description: 'Rendered in 3D.' }),
    view_mode: z.enum(viewModes).meta({ description: 'Where it is shown; every vAtom should have an icon face.' }),
    platform: z.enum(platforms).meta({ description: 'generic: every viewer.' }),
    quality: z.enum(qualities).meta({ description: 'Lets viewers avoid heavy faces on a slow connection.' }),
  }),
  'What a face needs and where it is shown.',
)

const displayUrl = z
  .string()
  .regex(/^(native:\/\/[^\s/]\S*|https:\/\/[^\s/]\S*)$/, { error: 'must be native://<view> or https://<url>' })
  .meta({ description: 'native://<view> or https://<url>.' })

/** Body of Register Face. Spec 4.5. */
export const FaceDocument = named(
  'Face',
  z.strictObject({
    template: recordName.meta({ description: 'The template the face is for.' }),
    display_url: displayUrl,
    package_url: z
      .string()
      .min(1, { error: 'must not be empty' })
      .meta({ description: 'A package of assets, or the display_url again.' }),
    constraints: FaceConstraints,
    resources: list(recordName).meta({ description: "Names from the template's resources." }),
    config: anyObject.optional().meta({ description: 'Settings of the native face.' }),
  }),
  'How viewers display the vAtoms of a template.',
)
export type FaceDocument = z.output<typeof FaceDocument>

/** A stored face as clients receive it beside vAtoms. */
export const FaceRecord = named(
  'FaceRecord',
  z.looseObject({ id: z.string(), template: z.string(), meta: anyObject, properties: anyObject }),
)
