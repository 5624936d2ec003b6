import type * as z from 'zod/v4'
import {
  ActionDocument,
  ActionHandler,
  ActionHandlerListQuery,
  ActionHandlerRecord,
  ActionListQuery,
  ActionName,
  ActionRecord,
  ActionUpdate,
} from './action.ts'
import { AssetListQuery, AssetRecord } from './asset.ts'
import { variationDefaults } from './complete.ts'
import { Discover, DiscoverPage } from './discover.ts'
import type { Endpoint } from './endpoint.ts'
import type { ErrorName } from './errors.ts'
import { FaceDocument, FaceListQuery, FaceRecord, FaceUpdate } from './face.ts'
import {
  ListQuery,
  TemplateDocument,
  TemplateListing,
  TemplateRecord,
  TemplateUpdate,
  VariationListQuery,
} from './template.ts'
import { Confirmation, Login, ProfileUpdate, Registration, RenewedToken, Session, User } from './user.ts'
import { limits } from './values.ts'
import {
  Emission,
  EmissionResult,
  VariationDocument,
  VariationListing,
  VariationRecord,
  VariationUpdate,
} from './variation.ts'
import { ActionInput, ActionResult, VatomRecord, VatomsUpdate, VatomsUpdated } from './vatom.ts'
import type { Files } from './wire.ts'

const signedIn = ['unauthorized', 'appId'] as const satisfies readonly ErrorName[]
const publisher = [...signedIn, 'notPublisher'] as const satisfies readonly ErrorName[]
/** A publisher's own record, named in the path. */
const ownRecord = [...publisher, 'foreignRecord', 'notFound'] as const satisfies readonly ErrorName[]
const draftUnlessSaid = 'unpublished that is left out means a draft'
const othersListed = "others' public ones are listed beside the publisher's own once they are published"
const childrenThere =
  'a variation is published once the variations that its child_policy names are there, itself counted; until then what is missing is warned of'
/** What nothing settles of writes to a chain. */
const chain = [
  'an eth section is written to the chain as a draft is created and changed: a contract for each network and symbol, and each field whose value is new, null for one that is gone; publishing writes nothing',
  'on mainnet a contract and a field each cost platform units; a request whose writes the balance does not cover is refused as a whole',
] as const

/** The API: one row an operation. Its key names the handler, the client's method and the operationId. */
export const api = {
  registerUser: {
    method: 'POST',
    path: '/v1/users',
    auth: 'none',
    spec: '4',
    summary: 'Register a new user',
    body: Registration,
    unknownKeys: 'ignored',
    payload: Session,
    errors: ['appId', 'invalid', 'invalidDate', 'invalidEmail', 'invalidPhone', 'unknownTokenType', 'tokenTaken'],
  },
  login: {
    method: 'POST',
    path: '/v1/user/login',
    auth: 'none',
    spec: '5',
    summary: 'Sign in with a user token and a password',
    body: Login,
    unknownKeys: 'ignored',
    payload: Session,
    errors: ['loginFailed', 'appId', 'unknownUser', 'loginLocked', 'invalid', 'unknownTokenType', 'rateLimited'],
  },
  logout: {
    method: 'POST',
    path: '/v1/user/logout',
    auth: 'user',
    spec: '5',
    summary: 'End the session',
    payload: Confirmation,
    errors: [...signedIn],
    assumed: "the session's refresh and access tokens are refused from then on",
  },
  refreshAccessToken: {
    method: 'POST',
    path: '/v1/access_token',
    auth: 'refresh',
    spec: '4.3',
    summary: 'Get a new access token',
    payload: RenewedToken,
    errors: ['refreshToken', 'appId'],
  },
  getProfile: {
    method: 'GET',
    path: '/v1/user',
    auth: 'user',
    spec: '4.1',
    summary: "Get the current user's profile",
    payload: User,
    errors: [...signedIn],
  },
  updateProfile: {
    method: 'PATCH',
    path: '/v1/user',
    auth: 'user',
    spec: '4.2',
    summary: "Update the current user's profile",
    body: ProfileUpdate,
    payload: User,
    errors: [...signedIn, 'invalid', 'invalidDate', 'passwordNeeded'],
  },
  discover: {
    method: 'POST',
    path: '/v1/vatom/discover',
    auth: 'user',
    spec: '4.4',
    summary: 'Search vAtoms',
    reads: true,
    body: Discover,
    payload: DiscoverPage,
    errors: [...signedIn, 'invalid'],
    details: [
      'a scope on parent_id that names a discover container which the caller may see finds what its query finds, for the caller: all of it, or as many as the limit of the query says; containers that the query names in turn hold nothing',
      'Match is case-sensitive, and * stands for any run of characters',
      'newest first, those of one second in the order they were made',
      'containers are looked into by a scope on their ids; a filter by parent_id finds what is in folders alone',
      'a public vAtom of a draft is found like any other: public means all users',
    ],
  },
  registerFace: {
    method: 'POST',
    path: '/v1/publisher/face',
    auth: 'publisher',
    spec: '4.5',
    summary: 'Register a face',
    body: FaceDocument,
    payload: Confirmation,
    errors: [...publisher, 'foreignRecord', 'invalid', 'missingReference'],
    details: [`a template has at most ${limits.faces} faces`],
  },
  listFaces: {
    method: 'GET',
    path: '/v1/publisher/face',
    auth: 'publisher',
    spec: '2.6',
    summary: 'List the faces of a template',
    query: FaceListQuery,
    payload: FaceRecord.array(),
    errors: [...publisher, 'foreignRecord', 'invalid', 'missingReference'],
    assumed: 'the path and the query; in order of registration',
  },
  updateFace: {
    method: 'PATCH',
    path: '/v1/publisher/face/:id',
    auth: 'publisher',
    spec: '2.6',
    summary: 'Change a face',
    body: FaceUpdate,
    payload: Confirmation,
    errors: [...ownRecord, 'invalid', 'missingReference'],
    assumed: 'the path; a field that is sent replaces the whole stored one, but constraints one by one',
  },
  deleteFace: {
    method: 'DELETE',
    path: '/v1/publisher/face/:id',
    auth: 'publisher',
    spec: '2.6',
    summary: 'Remove a face',
    payload: Confirmation,
    errors: ownRecord,
    assumed: 'the path',
  },
  registerAction: {
    method: 'POST',
    path: '/v1/publisher/action',
    auth: 'publisher',
    spec: '4',
    summary: 'Register an action of a template',
    body: ActionDocument,
    payload: Confirmation,
    errors: [...publisher, 'invalid', 'foreignName', 'nameTaken', 'missingReference'],
    details: [
      'the answer is a success_message',
      'defaults: not waited for, pre and main errors abort, 10 seconds, no guests, any number of times',
      `a timeout is at most ${limits.actionTimeout / 1000} seconds`,
      `a template has at most ${limits.actions} actions`,
    ],
  },
  listActions: {
    method: 'GET',
    path: '/v1/publisher/action',
    auth: 'publisher',
    spec: '4',
    summary: 'List the actions of a template',
    query: ActionListQuery,
    payload: ActionRecord.array(),
    errors: [...publisher, 'foreignRecord', 'invalid', 'missingReference'],
    assumed: 'the path and the query; in order of registration',
  },
  getAction: {
    method: 'GET',
    path: '/v1/publisher/action/:name',
    auth: 'publisher',
    spec: '4',
    summary: 'Get an action',
    payload: ActionRecord,
    errors: ownRecord,
    assumed: 'the path; by other publishers, once the template is public and published',
  },
  updateAction: {
    method: 'PATCH',
    path: '/v1/publisher/action/:name',
    auth: 'publisher',
    spec: '4',
    summary: 'Change an action',
    body: ActionUpdate,
    payload: Confirmation,
    errors: [...ownRecord, 'invalid'],
    assumed: 'the path; a field that is sent replaces the whole stored one',
  },
  deleteAction: {
    method: 'DELETE',
    path: '/v1/publisher/action/:name',
    auth: 'publisher',
    spec: '4',
    summary: 'Remove an action',
    payload: Confirmation,
    errors: ownRecord,
    assumed: 'the path',
  },
  registerActionHandler: {
    method: 'POST',
    path: '/v1/publisher/action_handler',
    auth: 'publisher',
    spec: '4',
    summary: "Register where actions of the publisher's own reactor go",
    body: ActionHandler,
    payload: Confirmation,
    errors: [...publisher, 'invalid', 'nameTaken'],
    assumed: 'the path and the shape; a handler serves its publisher alone, under one reactor',
    details: ['a handler is kept and listed; this service does not call it'],
  },
  listActionHandlers: {
    method: 'GET',
    path: '/v1/publisher/action_handler',
    auth: 'publisher',
    spec: '4',
    summary: "List the publisher's action handlers",
    query: ActionHandlerListQuery,
    payload: ActionHandlerRecord.array(),
    errors: [...publisher, 'invalid'],
    assumed: 'the path; by reactor',
  },
  deleteActionHandler: {
    method: 'DELETE',
    path: '/v1/publisher/action_handler/:reactor',
    auth: 'publisher',
    spec: '4',
    summary: 'Remove an action handler',
    payload: Confirmation,
    errors: [...publisher, 'notFound'],
    assumed: 'the path; actions of its reactor stay',
  },
  listTemplateActions: {
    method: 'GET',
    path: '/v1/user/actions/:template',
    auth: 'user',
    spec: '4',
    summary: 'List the names of the actions of a template, for viewers',
    payload: ActionName.array(),
    errors: [...signedIn, 'notFound'],
    details: [
      'anyone signed in may ask of a published template: its vAtoms can be anyone’s; a draft is there for its publisher and for who owns a vAtom of it alone',
    ],
  },
  uploadAssets: {
    method: 'POST',
    path: '/v1/publisher/asset',
    auth: 'publisher',
    spec: '4',
    summary: 'Upload assets',
    upload: { files: limits.assets, bytes: limits.asset },
    payload: AssetRecord.array(),
    errors: [...publisher, 'invalid', 'tooLarge'],
    assumed: 'the path and the shape: multipart/form-data, every file part an asset; the type is told by the content',
    details: [
      `at most ${limits.assets} files of ${limits.asset / 2 ** 20} MiB each`,
      'an asset is read at an address under /assets, without authorization',
    ],
  },
  listAssets: {
    method: 'GET',
    path: '/v1/publisher/asset',
    auth: 'publisher',
    spec: '4',
    summary: "List the publisher's assets",
    query: AssetListQuery,
    payload: AssetRecord.array(),
    errors: [...publisher, 'invalid'],
    assumed: 'the path and the shape; in order of upload',
  },
  deleteAsset: {
    method: 'DELETE',
    path: '/v1/publisher/asset/:id',
    auth: 'publisher',
    spec: '4',
    summary: 'Delete an asset',
    payload: Confirmation,
    errors: ownRecord,
    assumed: 'the path; resources that refer to it are left as they are',
  },
  listTemplates: {
    method: 'GET',
    path: '/v1/templates',
    auth: 'publisher',
    spec: '4',
    summary: "List the publisher's templates and others' public ones",
    query: ListQuery,
    payload: TemplateListing.array(),
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
      'an eos section is kept and answered, and written to no chain',
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
    payload: VariationListing.array(),
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
  emit: {
    method: 'POST',
    path: '/v1/vatoms',
    auth: 'publisher',
    spec: '4',
    summary: 'Emit vAtoms from a variation',
    body: Emission,
    payload: EmissionResult,
    errors: [...publisher, 'foreignRecord', 'invalid', 'missingReference', 'draftLimit'],
    details: [
      'a defined folder is made with the children its child_policy counts, each with children of its own, 16 folders deep at most; num_created and ids tell of what was asked for alone',
      'children are the caller’s, of variations of the publisher’s, and count against the limits of a request and of a draft',
      'a vAtom that was trashed still counts against the limit of its draft',
      'all or nothing: num_errors is 0',
      'nothing is written to a chain',
      'an omitted count of a child_policy is 1; auto_create_count means the same, and where both are there they are equal',
      'auto_create_count_random draws a number for each folder: from policy_count_min, or none, up to that many',
      'children are new vAtoms: auto_create is create_new alone, and weighted_choices is null',
    ],
  },
  getVatom: {
    method: 'GET',
    path: '/v1/vatoms/:id',
    auth: 'user',
    spec: '4',
    summary: 'Get a vAtom',
    payload: VatomRecord,
    errors: [...signedIn, 'foreignVatom', 'unknownVatom'],
  },
  updateVatoms: {
    method: 'PATCH',
    path: '/v1/vatoms',
    auth: 'user',
    spec: '4',
    summary: 'Move vAtoms into a folder or out of it',
    body: VatomsUpdate,
    payload: VatomsUpdated,
    errors: [...signedIn, 'invalid'],
    details: [
      'the caller owns the vAtoms and the folder; a vAtom that cannot be moved is told in error_messages, and the others move',
      'one after the other, each once; what is there already counts as updated and is left as it is',
      'a defined folder takes the variations that its child_policy names, and keeps within the bounds it enforces; a discover container takes nothing',
    ],
  },
  performAction: {
    method: 'POST',
    path: '/v1/user/vatom/action/:action',
    auth: 'user',
    spec: '4',
    summary: 'Perform an action on a vAtom',
    body: ActionInput,
    unknownKeys: 'taken',
    payload: ActionResult,
    errors: [...signedIn, 'invalid', 'unhandledAction', 'foreignVatom', 'unknownVatom'],
    details: [
      'the caller may see the vAtom; whose it must be is for the reactor to say',
      'an action is unhandled where the template has none of the name, or where the service does not carry out its reactor',
      'blockv://v1/Open opens a package of the caller’s: its contents take its place, the package goes to a trash user whom nobody is, and output is {"ids":[…]} of what came out',
    ],
  },
} as const satisfies Record<string, Endpoint>

export type Operation = keyof typeof api
export type Row<K extends Operation> = (typeof api)[K]

type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

/** Path parameters of an operation, decoded. */
type Params<K extends Operation> = { readonly [N in ParamNames<Row<K>['path']>]: string }
type BodyPart<K extends Operation> =
  Row<K> extends { readonly body: infer B extends z.ZodType } ? { readonly body: z.output<B> } : unknown
type QueryPart<K extends Operation> =
  Row<K> extends { readonly query: infer Q extends z.ZodType } ? MaybeQuery<z.output<Q>> : unknown
/** A query may be left out where it needs nothing. */
type MaybeQuery<Q> = Partial<Q> extends Q ? { readonly query?: Q } : { readonly query: Q }

type FilesPart<K extends Operation> = Row<K> extends { readonly upload: object } ? { readonly files: Files } : unknown

/** What a caller gives an operation: its path parameters, its body, its query, its files. */
export type Input<K extends Operation> = Params<K> & BodyPart<K> & QueryPart<K> & FilesPart<K>
/** What an operation answers on success, without the envelope. */
export type Payload<K extends Operation> = z.output<Row<K>['payload']>

/** Every operation with its row, in the order of the table. */
export const operations = Object.entries(api) as [Operation, Endpoint][]
