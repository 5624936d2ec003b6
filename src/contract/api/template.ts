import {
  ListQuery,
  TemplateDocument,
  TemplateListing,
  TemplateRecord,
  TemplateUpdate,
} from '../kinds/template-schemas.ts'
import { limits } from '../limits.ts'
import { listOf } from '../schema/lazy-schema.ts'
import { thousands } from '../schema/wording.ts'
import { OwnerQuery, ofOwner } from './catalog-label.ts'
import { DraftDeletionQuery, withoutMore } from './draft-deletion.ts'
import { ownRecord, type Rows } from './endpoint.ts'

/** Assumptions about both templates and variations. */
export const draftUnlessSaid = 'a record without unpublished is a draft'
export const othersListed = 'the list also has what other publishers made public and published'

export const priceAsSent =
  'the price is answered as it was sent, a number or a string, flat; vAtoms have it as a string in digits'

export const movedOut =
  'what is in vAtoms that are deleted moves to the root before, some at a time where that is much, so that others write in between; nothing more moves once the draft is published or belongs to another catalog, or the caller may not delete it any more; what has moved stays moved then, and where the request ends before its answer: send it again to delete the draft'

export const tooMuchTakenAlong = `nothing is deleted, or moved, where a vAtom that moves takes its visibility from one that everybody finds, and has more than ${limits.contents} in it, at any depth: the answer names it, and its owner has to take some out first`

export const draftVatoms =
  'vAtoms of a deleted draft no longer exist; what was in them is at the root of its owner then'

const tooMuchOfDraft = `at most ${thousands(limits.draftChange)} records may change, or be deleted, with a draft: its variations, which count as two each, and their vAtoms; each counts once more for each 12 KB of its JSON and, where it changes, for each 25 of its values beyond 100, before and after, and two writes to a chain, or two names in a child_policy, as one; more is refused before anything is written, and nothing counts where a change concerns the template alone, as publishing does`

/** Assumptions about writes to a chain. */
export const chain = [
  'creating or changing a draft writes its eth section to the chain: a contract for each network and symbol, and each field with a new value (null for a removed field); publishing writes nothing',
  'each contract and each field written on mainnet costs platform units; a request is refused as a whole if the balance does not cover its writes',
] as const

/** Operations on templates. */
export const templateRows = {
  listTemplates: {
    method: 'GET',
    path: '/v1/templates',
    auth: 'publisher',
    summary: "List the publisher's templates and others' public ones",
    query: ListQuery,
    payload: listOf(TemplateListing),
    errors: ['invalid'],
    assumed: 'limit and page select a page; names are in ascending order',
    details: [othersListed],
  },
  createTemplate: {
    method: 'POST',
    path: '/v1/templates',
    auth: 'publisher',
    spec: '4.6',
    summary: 'Create a template',
    body: TemplateDocument,
    errors: ['invalid', 'foreignName', 'nameTaken', 'chargesUncovered'],
    details: [
      ...chain,
      'an eos section is stored and answered, but not written to a chain',
      draftUnlessSaid,
      'a field of a price that is given twice, under the nested value and beside it, has the nested value',
      'an eth section with the symbol "" keeps the empty symbol: only an omitted symbol becomes the domain name',
      'a vAtom is transferable unless its template or variation says false, because the official command line leaves transferable out and transfers the vAtoms',
      'error codes from 9000 on are our own, in all operations: no source gives the codes of publisher operations',
    ],
  },
  getTemplate: {
    method: 'GET',
    path: '/v1/templates/:name',
    auth: 'optional',
    spec: '2.2',
    summary: 'Get a template',
    payload: TemplateRecord,
    errors: ['foreignRecord', 'notFound'],
    assumed: 'properties has the vatom section as `template`, and cloneable, eth and eos beside it',
    details: [
      'a public template, a draft too, is answered to everybody, signed in or not; without a token, any other name is refused, whether it exists or not',
      'a draft that is not public is for others as if it did not exist, in all operations',
      priceAsSent,
    ],
  },
  updateTemplate: {
    method: 'PATCH',
    path: '/v1/templates/:name',
    auth: 'publisher',
    spec: '3',
    summary: 'Change or publish a draft template',
    query: OwnerQuery,
    body: TemplateUpdate,
    errors: [...ownRecord, 'published', 'invalid', 'overlay', 'missingReference', 'chargesUncovered', 'otherCatalog'],
    assumed:
      'each field that is sent replaces the stored field as a whole; null removes eth or eos; a value of a vAtom follows the draft where the change replaces that value, and otherwise stays as actions left it',
    details: [
      ofOwner,
      ...chain,
      'a draft may drop a resource that a face names, with a warning, so that both can be changed one after the other; it is not published without it',
      'variations with their own eth section are updated: new values of their resolved fields are written to their contracts',
      tooMuchOfDraft,
    ],
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/v1/templates/:name',
    auth: 'publisher',
    spec: '4.6',
    summary: 'Delete a draft template',
    query: DraftDeletionQuery,
    errors: [...ownRecord, 'published', 'invalid', 'otherCatalog', 'moreVatoms'],
    assumed: 'the path; its variations, their vAtoms, its faces and its actions are deleted with it',
    details: [draftVatoms, ofOwner, withoutMore, movedOut, tooMuchTakenAlong, tooMuchOfDraft],
  },
} as const satisfies Rows
