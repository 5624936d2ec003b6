import * as z from 'zod/v4'
import { ofTemplate } from '../api/paging.ts'
import { whenMissing } from '../schema/issues.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { anyObject, list, recordName, unlisted } from '../schema/scalars.ts'
import { nativeFaces, platforms, qualities, viewModes } from '../values.ts'
import { ofRecord } from './of-record.ts'
import { RecordMeta } from './template-schemas.ts'

/** What a face needs and where it is shown. Spec 4.5. */
const FaceConstraints = named(
  'FaceConstraints',
  () =>
    z.strictObject({
      bluetooth_le: z.boolean(whenMissing('write false if it does not need bluetooth')).describe('Needs bluetooth.'),
      contact_list: z
        .boolean(whenMissing('write false if it does not need the address book'))
        .describe('Needs the address book.'),
      gps: z.boolean(whenMissing('write false if it does not need GPS')).describe('Needs GPS.'),
      three_d: z.boolean(whenMissing('write false if it is not rendered in 3D')).describe('Rendered in 3D.'),
      view_mode: z
        .enum(viewModes, whenMissing('write icon, engaged, card or fullscreen'))
        .describe('Where it is shown; every vAtom should have an icon face.'),
      platform: z
        .enum(platforms, whenMissing('write generic if every viewer can show it'))
        .describe('generic: every viewer.'),
      quality: z
        .enum(qualities, whenMissing('write high, medium or low'))
        .describe('Lets viewers avoid heavy faces on a slow connection.'),
    }),
  'What a face needs and where it is shown.',
)

const displayUrl = lazy(() =>
  z
    .string()
    .regex(/^(native:\/\/[^\s/]\S*|https:\/\/[^\s/]\S*)$/, { error: 'must be native://<view> or https://<url>' })
    .meta({ description: 'native://<view> or https://<url>.', examples: [...nativeFaces, 'https://example.com/face'] }),
)
const packageUrl = lazy(() =>
  z
    .string(whenMissing('write the address of display_url where there is no package'))
    .min(1, { error: 'must not be empty' })
    .describe('Address of a package of assets, or the same address as display_url.'),
)
const resources = lazy(() => list(recordName()).describe("Names from the template's resources."))
const config = lazy(() => anyObject().optional().meta(unlisted('Settings of the native face.')))

/** Body of Register Face. Spec 4.5. */
export const FaceDocument = named(
  'Face',
  () =>
    z.strictObject({
      template: recordName().describe('The template the face is for.'),
      display_url: displayUrl(),
      package_url: packageUrl(),
      constraints: FaceConstraints(),
      resources: resources(),
      config: config(),
    }),
  'How viewers display the vAtoms of a template.',
  { ...ofRecord('vatom face get ID'), id: 'the service sets it' },
)
export type FaceDocument = ValueOf<typeof FaceDocument>

/** Body of Update Face: the fields to replace, whole, but single constraints. Spec 2.6. */
export const FaceUpdate = named(
  'FaceUpdate',
  () =>
    z.strictObject({
      display_url: displayUrl().optional(),
      package_url: packageUrl().optional(),
      constraints: FaceConstraints()
        .partial()
        .optional()
        .describe('The constraints to change; the others stay as they are.'),
      resources: resources().optional(),
      config: config(),
    }),
  'Fields of a face to replace.',
  {
    template: 'a face stays with its template',
    id: 'it cannot be changed',
    meta: 'it cannot be changed',
    properties: 'write the fields of properties at the top level',
  },
)
export type FaceUpdate = ValueOf<typeof FaceUpdate>

/** Query of List Faces. */
export const FaceListQuery = lazy(() => z.object(ofTemplate()))

/** A stored face as clients receive it beside vAtoms. */
export const FaceRecord = named('FaceRecord', () =>
  z.looseObject({
    id: z.string(),
    template: z.string(),
    meta: RecordMeta(),
    properties: z.looseObject({
      display_url: z.string(),
      package_url: z.string().optional(),
      constraints: z.looseObject({ view_mode: z.string(), platform: z.string() }),
      resources: z.array(z.string()).nullable().optional(),
      config: anyObject().optional(),
    }),
  }),
)
export type FaceRecord = ValueOf<typeof FaceRecord>
