import {
  ListQuery,
  TemplateDocument,
  TemplateListing,
  TemplateRecord,
  TemplateUpdate,
} from '../kinds/template-schemas.ts'
import { listOf } from '../schema/lazy.ts'
import { ownRecord, publisher, type Rows, signedIn } from './endpoint.ts'
import { Confirmation } from './envelope.ts'

/** What templates and variations have in common that nothing settles. */
export const draftUnlessSaid = 'unpublished that is left out means a draft'
export const othersListed = "others' public ones are listed beside the publisher's own once they are published"

/** What nothing settles of writes to a chain. */
export const chain = [
  'an eth section is written to the chain as a draft is created and changed: a contract for each network and symbol, and each field whose value is new, null for one that is gone; publishing writes nothing',
  'on mainnet a contract and a field each cost platform units; a request whose writes the balance does not cover is refused as a whole',
] as const

/** Operations on templates. */
export const templateRows = {
  listTemplates: {
    method: 'GET',
    path: '/v1/templates',
    auth: 'publisher',
    spec: '4',
    summary: "List the publisher's templates and others' public ones",
    query: ListQuery,
    payload: listOf(TemplateListing),
    errors: [...publisher, 'invalid'],
    assumed: 'pages by limit and page, names in ascending order',
    details: [othersListed],
  },
  createTemplate: {
    method: 'POST',
    path: '/v1/templates',
    auth: 'publisher',
    spec: '4.6',
    summary: 'Create a template',
    body: TemplateDocument,
    payload: Confirmation,
    errors: [...publisher, 'invalid', 'foreignName', 'nameTaken', 'chargesUncovered'],
    details: [
      ...chain,
      'an eos section is stored and answered, and written to no chain',
      draftUnlessSaid,
      'error codes of 9000 and more, here and everywhere, are our own: no source names those of publishers’ operations',
    ],
  },
  getTemplate: {
    method: 'GET',
    path: '/v1/templates/:name',
    auth: 'user',
    spec: '4',
    summary: 'Get a template',
    payload: TemplateRecord,
    errors: [...signedIn, 'foreignRecord', 'notFound'],
    assumed: 'properties carry the vatom section as `template`, and cloneable, eth and eos beside it',
  },
  updateTemplate: {
    method: 'PATCH',
    path: '/v1/templates/:name',
    auth: 'publisher',
    spec: '3',
    summary: 'Change or publish a draft template',
    body: TemplateUpdate,
    payload: Confirmation,
    errors: [...ownRecord, 'published', 'invalid', 'overlay', 'chargesUncovered'],
    assumed: 'a field that is sent replaces the whole stored one; null takes eth or eos away',
    details: [
      ...chain,
      'variations with an eth section of their own follow: what is new in their resolved fields is written to their contracts',
    ],
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/v1/templates/:name',
    auth: 'publisher',
    spec: '4.6',
    summary: 'Delete a draft template',
    payload: Confirmation,
    errors: [...ownRecord, 'published', 'inUse'],
    assumed: 'the path; a draft with variations is not deleted; its faces and actions are deleted with it',
  },
} as const satisfies Rows
