import * as z from 'zod/v4'
import { named } from './registry.ts'
import { anyObject, list, text } from './scalars.ts'
import { limits } from './values.ts'

/** A vAtom as clients receive it. */
export const VatomRecord = named(
  'VatomRecord',
  z.looseObject({
    id: z.string(),
    version: z.string(),
    unpublished: z.boolean(),
    when_created: z.string(),
    when_modified: z.string(),
    when_added: z.string().optional().meta({ description: 'When it came to its owner.' }),
    sync: z.int().optional().meta({ description: 'Grows with every change.' }),
    'vAtom::vAtomType': anyObject,
    private: anyObject,
    eth: anyObject.optional(),
    eos: anyObject.optional(),
  }),
  'A digital object.',
)
export type VatomRecord = z.output<typeof VatomRecord>

const vatomId = text(limits.name).min(1, { error: 'must not be empty' })

/** Body of Update vAtoms: moves vAtoms into a folder, or to the root with `"."`. */
export const VatomsUpdate = named(
  'VatomsUpdate',
  z.strictObject({
    ids: list(vatomId, limits.ids).min(1, { error: 'must have at least one entry' }),
    parent_id: vatomId.meta({ description: 'The folder, or "." for the root.' }),
  }),
)
/** Payload of Update vAtoms. */
export const VatomsUpdated = named(
  'VatomsUpdated',
  z.looseObject({
    num_updated: z.int(),
    num_errors: z.int(),
    error_messages: z.record(z.string(), z.string()),
    ids: z.array(z.string()),
  }),
)

/** Body of Perform Action: the vAtom, and what the action takes. */
export const ActionInput = named('ActionInput', z.looseObject({ 'this.id': vatomId }))
/** Payload of Perform Action; `output` is JSON text. */
export const ActionResult = named(
  'ActionResult',
  z.looseObject({
    main: z.looseObject({
      output: z.string(),
      error: z
        .looseObject({ Code: z.int(), Msg: z.string() })
        .optional()
        .meta({ description: 'Why it failed, where that does not abort it.' }),
    }),
  }),
)
export type ActionResult = z.output<typeof ActionResult>
