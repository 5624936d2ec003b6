import { VariationListQuery } from '../kinds/template-schemas.ts'
import { VariationDocument, VariationListing, VariationRecord, VariationUpdate } from '../kinds/variation-schemas.ts'
import { listOf } from '../schema/lazy-schema.ts'
import { variationDefaults } from '../vatom/complete.ts'
import { OwnerQuery, ofOwner } from './catalog-label.ts'
import { DraftDeletionQuery, withoutMore } from './draft-deletion.ts'
import { ownRecord, type Rows } from './endpoint.ts'
import {
  chain,
  draftUnlessSaid,
  draftVatoms,
  movedOut,
  othersListed,
  priceAsSent,
  tooMuchTakenAlong,
} from './template.ts'

const childrenThere =
  'a variation can be published only if all variations that its child_policy names exist; it may name itself; for a draft, the answer warns of missing variations'

/** Operations on template variations. */
export const variationRows = {
  createVariation: {
    method: 'POST',
    path: '/v1/template_variations',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Create a template variation',
    body: VariationDocument,
    errors: [
      'foreignRecord',
      'invalid',
      'foreignName',
      'nameTaken',
      'missingReference',
      'overlay',
      'templateDraft',
      'chargesUncovered',
    ],
    assumed:
      'the answer is a success_message; max_clones and cloning_gain are the clone parameters; a variation with its own eth section has its own contract',
    details: [
      ...chain,
      'the contract of a variation holds the resolved fields',
      draftUnlessSaid,
      'root_type cannot be overwritten; a variation of a template without resources cannot have resources',
      childrenThere,
      'a custom field of another type than in the template is accepted with a warning; an object in the place of another value is refused',
      `cloning_gain is what each clone adds to the cloning_score of the original vAtom; ${variationDefaults.cloning_gain} when omitted`,
    ],
  },
  listVariations: {
    method: 'GET',
    path: '/v1/template_variations',
    auth: 'publisher',
    spec: '2.5',
    summary: "List the publisher's variations and others' public ones",
    query: VariationListQuery,
    payload: listOf(VariationListing),
    errors: ['invalid'],
    assumed:
      'limit and page select a page; names are in ascending order; template lists only the variations of one template',
    details: [othersListed],
  },
  getVariation: {
    method: 'GET',
    path: '/v1/template_variations/:name',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Get a template variation',
    payload: VariationRecord,
    errors: ownRecord,
    assumed:
      'name, public and meta are beside properties, as in a template; other publishers may read it if it is public, a draft too',
    details: [
      priceAsSent,
      'overrides has the values that the variation itself sets; the clone parameters are max_clones (null: any number), num_clones, max_clones_reached and cloning_gain',
      'num_vatoms of a draft is how many of its vAtoms exist, and num_trashed how many were trashed, or redeemed with no merchant',
    ],
  },
  updateVariation: {
    method: 'PATCH',
    path: '/v1/template_variations/:name',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Change or publish a draft variation',
    query: OwnerQuery,
    body: VariationUpdate,
    errors: [
      ...ownRecord,
      'published',
      'templateDraft',
      'overlay',
      'invalid',
      'missingReference',
      'chargesUncovered',
      'otherCatalog',
    ],
    assumed:
      'each field that is sent replaces the stored field as a whole; null removes max_clones, eth or eos; a variation cannot be published before its template; a value of a vAtom follows the draft where the change replaces that value, and otherwise stays as actions left it',
    details: [
      ofOwner,
      ...chain,
      'removing the eth section of a variation ends its contract; adding the section again creates a new contract',
      childrenThere,
    ],
  },
  deleteVariation: {
    method: 'DELETE',
    path: '/v1/template_variations/:name',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Delete a draft variation',
    query: DraftDeletionQuery,
    errors: [...ownRecord, 'published', 'invalid', 'otherCatalog', 'moreVatoms'],
    assumed: 'the path; the vAtoms that were emitted from it, at most 10, are deleted with it',
    details: [
      draftVatoms,
      ofOwner,
      withoutMore,
      movedOut,
      tooMuchTakenAlong,
      'a draft is deleted, with a warning, also where the child_policy of a published variation names it; no vAtoms of that one can be emitted then',
    ],
  },
} as const satisfies Rows
