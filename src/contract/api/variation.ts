import { VariationListQuery } from '../kinds/template-schemas.ts'
import { VariationDocument, VariationListing, VariationRecord, VariationUpdate } from '../kinds/variation-schemas.ts'
import { listOf } from '../schema/lazy.ts'
import { variationDefaults } from '../vatom/complete.ts'
import { ownRecord, publisher, type Rows } from './endpoint.ts'
import { Confirmation } from './envelope.ts'
import { chain, draftUnlessSaid, othersListed } from './template.ts'

const childrenThere =
  'a variation is published once the variations that its child_policy names exist, itself included; until then the answer warns of those that are missing'

/** Operations on template variations. */
export const variationRows = {
  createVariation: {
    method: 'POST',
    path: '/v1/template_variations',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Create a template variation',
    body: VariationDocument,
    payload: Confirmation,
    errors: [
      ...publisher,
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
      'the answer is a success_message; max_clones and cloning_gain are the clone parameters; an eth section of its own has a contract of its own',
    details: [
      ...chain,
      'the contract of a variation holds the resolved fields',
      draftUnlessSaid,
      childrenThere,
      `cloning_gain is ${variationDefaults.cloning_gain} where it is left out: what a clone adds to the cloning_score of the vAtom it is made of`,
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
    errors: [...publisher, 'invalid'],
    assumed: 'pages by limit and page, names in ascending order; template narrows it to one',
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
      'name, public and meta stand beside properties, as in a template; by other publishers, once it is public and published',
    details: [
      'what it says itself is answered as overrides, its clone parameters as max_clones, null for any number, num_clones, max_clones_reached and cloning_gain',
    ],
  },
  updateVariation: {
    method: 'PATCH',
    path: '/v1/template_variations/:name',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Change or publish a draft variation',
    body: VariationUpdate,
    payload: Confirmation,
    errors: [...ownRecord, 'published', 'templateDraft', 'overlay', 'invalid', 'missingReference', 'chargesUncovered'],
    assumed:
      'a field that is sent replaces the whole stored one; null takes max_clones, eth or eos away; a variation is not published before its template',
    details: [
      ...chain,
      'the contract of a variation ends with its eth section; given again, that has a new one',
      childrenThere,
    ],
  },
  deleteVariation: {
    method: 'DELETE',
    path: '/v1/template_variations/:name',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Delete a draft variation',
    payload: Confirmation,
    errors: [...ownRecord, 'published', 'inUse'],
    assumed: 'the path; a draft that has emitted vAtoms is not deleted',
  },
} as const satisfies Rows
