import * as z from 'zod/v4'
import { paging } from '../api/paging.ts'
import { limits } from '../limits.ts'
import { lazy, type ValueOf } from '../schema/lazy.ts'
import { named } from '../schema/registry.ts'
import { anyObject, list, text } from '../schema/scalars.ts'

/** A vAtom as clients receive it. */
export const VatomRecord = named(
  'VatomRecord',
  () =>
    z.looseObject({
      id: z.string(),
      version: z.string(),
      unpublished: z.boolean(),
      when_created: z.string(),
      when_modified: z.string(),
      when_added: z.string().optional().meta({ description: 'When it came to its owner.' }),
      sync: z.int().optional().meta({ description: 'Grows with every change.' }),
      'vAtom::vAtomType': anyObject(),
      private: anyObject(),
      eth: anyObject().optional(),
      eos: anyObject().optional(),
    }),
  'A digital object.',
)
export type VatomRecord = ValueOf<typeof VatomRecord>

const vatomId = lazy(() => text(limits.name).min(1, { error: 'must not be empty' }))

/** Body of Get vAtoms by Ids; unknown keys are ignored. */
export const VatomIds = named('VatomIds', () => z.object({ ids: list(vatomId(), limits.ids) }))

/** vAtoms with the faces and actions of their templates. */
export const VatomsPage = named('VatomsPage', () =>
  z.looseObject({ vatoms: z.array(anyObject()), faces: z.array(anyObject()), actions: z.array(anyObject()) }),
)
export type VatomsPage = ValueOf<typeof VatomsPage>

/** Body of Get vAtom Inventory; unknown keys are ignored. */
export const InventoryRequest = named('InventoryRequest', () =>
  z.object({
    parent_id: vatomId().nullish().meta({ description: 'A folder, "." for the root, "*" for all, also when omitted.' }),
    limit: z
      .int()
      .min(0)
      .nullish()
      .meta({ description: `vAtoms per page: ${limits.inventory} at most, and when 0 or omitted.` }),
    page: z.int().min(0).nullish().meta({ description: 'From 1; 0 and omitted are the first.' }),
  }),
)
/** Payload of the hash of an inventory, which is another whenever anything in it is. */
export const InventoryHash = named('InventoryHash', () => z.looseObject({ hash: z.string() }))

/** Query for a page of the index of an inventory. */
export const InventoryIndexQuery = lazy(() =>
  z.strictObject({
    limit: paging().limit.meta({ description: `${limits.pageMax} by default, for 0, and at most.` }),
    next_token: z.string().optional().meta({ description: 'The next_token of the page before; empty for the first.' }),
  }),
)
/** Payload of the index of an inventory. */
export const InventoryIndex = named('InventoryIndex', () =>
  z.looseObject({
    vatoms: z.array(z.looseObject({ id: z.string(), sync: z.int(), when_modified: z.string() })),
    next_token: z.string().meta({ description: 'Empty on the last page.' }),
  }),
)

/** Body of Trash vAtom; unknown keys are ignored. */
export const Trashing = named('Trashing', () => z.object({ 'this.id': vatomId() }))

/** Body of Request Redemption; unknown keys are ignored. */
export const RedemptionRequest = named('RedemptionRequest', () => z.object({ object_id: vatomId() }))

/** Body of Update vAtoms: moves vAtoms into a folder, or to the root with `"."`. */
export const VatomsUpdate = named('VatomsUpdate', () =>
  z.strictObject({
    ids: list(vatomId(), limits.ids).min(1, { error: 'must have at least one entry' }),
    parent_id: vatomId().meta({ description: 'The folder, or "." for the root.' }),
  }),
)
/** Payload of Update vAtoms. */
export const VatomsUpdated = named('VatomsUpdated', () =>
  z.looseObject({
    num_updated: z.int(),
    num_errors: z.int(),
    error_messages: z.record(z.string(), z.string()),
    ids: z.array(z.string()),
  }),
)

/** Body of Perform Action: the vAtom, and what the action takes. */
export const ActionInput = named('ActionInput', () => z.looseObject({ 'this.id': vatomId() }))
/** Payload of Perform Action; `output` is JSON text. */
export const ActionResult = named('ActionResult', () =>
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
export type ActionResult = ValueOf<typeof ActionResult>
