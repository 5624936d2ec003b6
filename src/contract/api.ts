import type * as z from 'zod/v4'
import { Discover, DiscoverPage } from './discover.ts'
import type { Endpoint } from './endpoint.ts'
import type { ErrorName } from './errors.ts'
import { FaceDocument } from './face.ts'
import { ListQuery, TemplateDocument, TemplateListing, TemplateRecord, TemplateUpdate } from './template.ts'
import { Confirmation, Login, ProfileUpdate, Registration, RenewedToken, Session, User } from './user.ts'
import { Emission, EmissionResult, VariationDocument, VariationRecord, VariationUpdate } from './variation.ts'

const signedIn = ['unauthorized', 'appId'] as const satisfies readonly ErrorName[]
const publisher = [...signedIn, 'notPublisher'] as const satisfies readonly ErrorName[]

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
    body: Discover,
    payload: DiscoverPage,
    errors: [...signedIn, 'invalid'],
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
  },
  createTemplate: {
    method: 'POST',
    path: '/v1/templates',
    auth: 'publisher',
    spec: '4.6',
    summary: 'Create a template',
    body: TemplateDocument,
    payload: Confirmation,
    errors: [...publisher, 'invalid', 'foreignName', 'nameTaken'],
  },
  getTemplate: {
    method: 'GET',
    path: '/v1/templates/:name',
    auth: 'user',
    spec: '4',
    summary: 'Get a template',
    payload: TemplateRecord,
    errors: [...signedIn, 'foreignRecord', 'notFound'],
    assumed: 'properties carry the vatom section as `template`, and cloneable and eth beside it',
  },
  updateTemplate: {
    method: 'PATCH',
    path: '/v1/templates/:name',
    auth: 'publisher',
    spec: '3',
    summary: 'Change or publish a draft template',
    body: TemplateUpdate,
    payload: Confirmation,
    errors: [...publisher, 'foreignRecord', 'published', 'invalid', 'overlay', 'notFound'],
    assumed: 'a field that is sent replaces the whole stored one',
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/v1/templates/:name',
    auth: 'publisher',
    spec: '4.6',
    summary: 'Delete a draft template',
    payload: Confirmation,
    errors: [...publisher, 'foreignRecord', 'published', 'inUse', 'notFound'],
    assumed: 'the path; a draft with variations is not deleted; its faces are deleted with it',
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
    ],
    assumed: 'the answer is a success_message; the number of clones is not limited by fields of the variation',
  },
  getVariation: {
    method: 'GET',
    path: '/v1/template_variations/:name',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Get a template variation',
    payload: VariationRecord,
    errors: [...publisher, 'foreignRecord', 'notFound'],
    assumed: 'name, public and meta stand beside properties, as in a template',
  },
  updateVariation: {
    method: 'PATCH',
    path: '/v1/template_variations/:name',
    auth: 'publisher',
    spec: '2.5',
    summary: 'Change or publish a draft variation',
    body: VariationUpdate,
    payload: Confirmation,
    errors: [...publisher, 'foreignRecord', 'published', 'templateDraft', 'overlay', 'invalid', 'notFound'],
    assumed: 'a field that is sent replaces the whole stored one; a variation is not published before its template',
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
  Row<K> extends { readonly query: infer Q extends z.ZodType } ? { readonly query?: z.output<Q> } : unknown

/** What a caller gives an operation: its path parameters, its body, its query. */
export type Input<K extends Operation> = Params<K> & BodyPart<K> & QueryPart<K>
/** What an operation answers on success, without the envelope. */
export type Payload<K extends Operation> = z.output<Row<K>['payload']>

/** Every operation with its row, in the order of the table. */
export const operations = Object.entries(api) as [Operation, Endpoint][]
