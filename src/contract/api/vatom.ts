import * as z from 'zod/v4'
import { Emission, EmissionResult } from '../kinds/variation-schemas.ts'
import { limits } from '../limits.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { anyObject, list, recordName, recordOf, text } from '../schema/scalars.ts'
import { vatomProperties } from '../vatom/vatom-properties.ts'
import type { Rows } from './endpoint.ts'
import { newestFirst, paging } from './paging.ts'

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
      when_added: z.string().optional().describe('When its owner received it.'),
      sync: z.int().optional().describe('Increases with every change.'),
      'vAtom::vAtomType': vatomProperties(),
      private: anyObject(),
      eth: anyObject().optional(),
      eos: anyObject().optional(),
    }),
  'A digital object.',
)
export type VatomRecord = ValueOf<typeof VatomRecord>

/** The id of a vAtom in a request. */
export const vatomId = lazy(() => text(limits.name).min(1, { error: 'must not be empty' }))

/** Body of Get vAtoms by Ids; unknown keys are ignored. */
export const VatomIds = named('VatomIds', () => z.object({ ids: list(vatomId(), limits.ids) }))

/** The faces and actions of the templates of vAtoms that were found. */
export const foundDesigns = lazy(() => ({
  faces: z.array(recordOf('FaceRecord')),
  actions: z.array(recordOf('ActionRecord')),
}))

/** vAtoms with the faces and actions of their templates. */
export const VatomsPage = named('VatomsPage', () =>
  z.looseObject({ vatoms: z.array(recordOf('VatomRecord')), ...foundDesigns() }),
)
export type VatomsPage = ValueOf<typeof VatomsPage>

/** Body of Get vAtom Inventory; unknown keys are ignored. */
export const InventoryRequest = named('InventoryRequest', () =>
  z.object({
    parent_id: vatomId().nullish().describe('The id of a folder; "." for the root; "*" or omitted for all vAtoms.'),
    limit: z
      .int()
      .min(0)
      .nullish()
      .describe(`vAtoms per page: at most ${limits.inventory}; ${limits.inventory} when 0 or omitted.`),
    page: z.int().min(0).nullish().describe('Page number from 1; 0 or omitted: the first page.'),
  }),
)

/** Payload of the hash of an inventory, which is another whenever anything in it is. */
export const InventoryHash = named('InventoryHash', () => z.looseObject({ hash: z.string() }))

/** Query for a page of the index of an inventory. */
export const InventoryIndexQuery = lazy(() =>
  z.strictObject({
    limit: paging().limit.describe(`At most ${limits.pageMax}; ${limits.pageMax} when 0 or omitted.`),
    next_token: z.string().optional().describe('The next_token of the previous page; empty for the first page.'),
  }),
)

/** Payload of the index of an inventory. */
export const InventoryIndex = named('InventoryIndex', () =>
  z.looseObject({
    vatoms: z.array(z.looseObject({ id: z.string(), sync: z.int(), when_modified: z.string() })),
    next_token: z.string().describe('Empty on the last page.'),
  }),
)

/** Body of Get Inventory Stats; unknown keys are ignored. */
export const InventoryStatsRequest = named('InventoryStatsRequest', () =>
  z.object({
    template_variations: list(recordName(), limits.list)
      .optional()
      .describe('The variations whose vAtoms are counted; empty or omitted: those of all vAtoms of the caller.'),
  }),
)

/** Payload of Get Inventory Stats. */
export const InventoryStats = named('InventoryStats', () =>
  z.looseObject({ stats: z.array(z.looseObject({ template_variation: z.string(), count: z.int() })) }),
)
export type InventoryStats = ValueOf<typeof InventoryStats>

/** Body of Trash vAtom; unknown keys are ignored. */
export const Trashing = named('Trashing', () => z.object({ 'this.id': vatomId() }))

/** Body of Update vAtoms: moves vAtoms into a folder, or to the root with `"."`. */
export const VatomsUpdate = named('VatomsUpdate', () =>
  z.strictObject({
    ids: list(vatomId(), limits.ids).min(1, { error: 'must have at least one entry' }),
    parent_id: vatomId().describe('The folder, or "." for the root.'),
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

/** Operations on vAtoms and inventories. */
export const vatomRows = {
  emit: {
    method: 'POST',
    path: '/v1/vatoms',
    auth: 'publisher',
    summary: 'Emit vAtoms from a variation',
    body: Emission,
    payload: EmissionResult,
    errors: ['foreignRecord', 'invalid', 'missingReference', 'draftLimit'],
    details: [
      `a defined folder is created with the children that its child_policy asks for, and these with their own children, at most ${limits.folders} folders deep; num_created and ids leave the children out, which num_contents counts`,
      'the caller owns the children; their variations must belong to the publisher; they count against the limits of a request and of a draft',
      'a vAtom that was trashed still counts against the limit of its draft',
      'all or nothing: num_errors is 0',
      'nothing is written to a chain',
      'count of a child_policy is 1 when omitted; auto_create_count means the same, and must be equal if both are given',
      'auto_create_count_random draws the number of children for each folder: from policy_count_min (0 when omitted) up to count',
      'the entries of a child_policy are answered with all keys that clients read: count, and a whole creation_policy; policy_count_max is count when omitted',
      'children are always new vAtoms: auto_create must be create_new, and weighted_choices null',
    ],
  },
  getVatom: {
    method: 'GET',
    path: '/v1/vatoms/:id',
    auth: 'optional',
    summary: 'Get a vAtom',
    payload: VatomRecord,
    errors: ['foreignVatom', 'unknownVatom'],
    details: [
      'a caller who is not signed in gets the same answer for a vAtom that is not public and for one that does not exist',
    ],
  },
  getVatoms: {
    method: 'POST',
    path: '/v1/user/vatom/get',
    auth: 'user',
    reads: true,
    summary: 'Get vAtoms by ids',
    body: VatomIds,
    unknownKeys: 'ignored',
    payload: VatomsPage,
    errors: ['invalid'],
    details: [
      'vAtoms are in the order of the ids, each once; an id is left out if it does not exist or if the caller may not see its vAtom',
    ],
  },
  getInventory: {
    method: 'POST',
    path: '/v1/user/vatom/inventory',
    auth: 'user',
    reads: true,
    summary: "Get the caller's vAtoms",
    body: InventoryRequest,
    unknownKeys: 'ignored',
    payload: VatomsPage,
    errors: ['invalid'],
    details: [
      newestFirst,
      'dropped vAtoms are included',
      'for a folder, the answer has the caller’s vAtoms in it; for a discover container, what its query finds for the caller; for any other parent_id, nothing',
      `a page has at most ${limits.inventory} vAtoms, even if limit is larger`,
    ],
  },
  getInventoryHash: {
    method: 'GET',
    path: '/v1/user/vatom/inventory/hash',
    auth: 'user',
    spec: null,
    summary: "Get a hash of the caller's inventory",
    payload: InventoryHash,
    details: ['SHA-256 of the caller’s vAtoms: of each its id, how often it was changed, and when'],
  },
  getInventoryIndex: {
    method: 'GET',
    path: '/v1/user/vatom/inventory/index',
    auth: 'user',
    spec: null,
    summary: "List the ids of the caller's vAtoms with the version of each",
    query: InventoryIndexQuery,
    payload: InventoryIndex,
    errors: ['invalid'],
    details: ['oldest first; next_token must come from an earlier page'],
  },
  getInventoryStats: {
    method: 'POST',
    path: '/v1/user/vatom/inventorystats',
    auth: 'user',
    spec: null,
    reads: true,
    summary: "Count the caller's vAtoms of each variation",
    body: InventoryStatsRequest,
    unknownKeys: 'ignored',
    payload: InventoryStats,
    errors: ['invalid'],
    assumed:
      'the payload: for each variation the number of the caller’s vAtoms, in the order of the request, each once; 0 for one that the caller has none of, or that does not exist',
  },
  updateVatoms: {
    method: 'PATCH',
    path: '/v1/vatoms',
    auth: 'user',
    summary: 'Move vAtoms into a folder or out of it',
    body: VatomsUpdate,
    payload: VatomsUpdated,
    errors: ['invalid'],
    details: [
      'the caller must own the vAtoms and the folder; vAtoms that cannot be moved are named in error_messages, and the others are moved',
      'vAtoms are moved one after the other, each once; a vAtom that is already there counts as updated and is not changed',
      'a defined folder accepts only variations that its child_policy names, within the bounds that it enforces; a discover container accepts nothing',
      'a dropped vAtom must be picked up before it can be moved',
      `folders are moved with what is in them, at most ${limits.contents} vAtoms in one request: it is refused if there are more`,
    ],
  },
  trashVatom: {
    method: 'POST',
    path: '/v1/user/vatom/trash',
    auth: 'user',
    summary: 'Trash a vAtom, with what is in it',
    body: Trashing,
    unknownKeys: 'ignored',
    errors: ['invalid', 'notActivated', 'foreignVatom', 'unknownVatom'],
    details: [
      `the contents of a folder go to the trash user with it; one with more than ${limits.contents} in it, at any depth, is refused: take some out first`,
      'a vAtom cannot be trashed if the defined folder that it is in must keep it: the request is invalid',
    ],
  },
} as const satisfies Rows
