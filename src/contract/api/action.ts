import {
  ActionDocument,
  ActionHandler,
  ActionHandlerListQuery,
  ActionHandlerRecord,
  ActionListQuery,
  ActionName,
  ActionRecord,
  ActionUpdate,
} from '../kinds/action-schemas.ts'
import { limits } from '../limits.ts'
import { listOf } from '../schema/lazy-schema.ts'
import { OwnerQuery, ofOwner } from './catalog-label.ts'
import { ownRecord, type Rows } from './endpoint.ts'

/** Operations on a template's actions and on a publisher's action handlers. */
export const actionRows = {
  registerAction: {
    method: 'POST',
    path: '/v1/publisher/action',
    auth: 'publisher',
    summary: 'Register an action of a template',
    body: ActionDocument,
    errors: ['invalid', 'foreignName', 'nameTaken', 'missingReference'],
    details: [
      'the answer is a success_message',
      'defaults: the caller does not wait, an error of a pre-action or of the action itself aborts, the timeout is 10 seconds, guests may not run it, and a user may run it any number of times',
      `a timeout is at most ${limits.actionTimeout / 1000} seconds and covers the action and the actions of its policy: at most ${limits.policyActions} before it and ${limits.policyActions} after it`,
      `a template has at most ${limits.actions} actions, with ${limits.design / 1024} KiB of JSON together`,
    ],
  },
  listActions: {
    method: 'GET',
    path: '/v1/publisher/action',
    auth: 'publisher',
    summary: 'List the actions of a template',
    query: ActionListQuery,
    payload: listOf(ActionRecord),
    errors: ['foreignRecord', 'invalid', 'missingReference'],
    assumed: 'the path and the query; the list is in order of registration',
  },
  getAction: {
    method: 'GET',
    path: '/v1/publisher/action/:name',
    auth: 'publisher',
    summary: 'Get an action',
    payload: ActionRecord,
    errors: ownRecord,
    assumed: 'the path; other publishers may read it if the template is public, a draft too',
  },
  updateAction: {
    method: 'PATCH',
    path: '/v1/publisher/action/:name',
    auth: 'publisher',
    summary: 'Change an action',
    query: OwnerQuery,
    body: ActionUpdate,
    errors: [...ownRecord, 'invalid', 'otherCatalog'],
    assumed: 'the path; each field that is sent replaces the stored field as a whole',
    details: [ofOwner],
  },
  deleteAction: {
    method: 'DELETE',
    path: '/v1/publisher/action/:name',
    auth: 'publisher',
    summary: 'Remove an action',
    query: OwnerQuery,
    errors: [...ownRecord, 'invalid', 'otherCatalog'],
    assumed: 'the path',
    details: [ofOwner],
  },
  registerActionHandler: {
    method: 'POST',
    path: '/v1/publisher/action_handler',
    auth: 'publisher',
    summary: "Register a handler for actions of the publisher's own reactor",
    body: ActionHandler,
    errors: ['invalid', 'nameTaken'],
    assumed: 'the path and the shape; a handler serves one reactor, and only its publisher',
    details: [
      'the service calls handlers on this machine and on hosts given with vatom serve --allow-handler-host; a handler on another host is stored with a warning',
    ],
  },
  listActionHandlers: {
    method: 'GET',
    path: '/v1/publisher/action_handler',
    auth: 'publisher',
    summary: "List the publisher's action handlers",
    query: ActionHandlerListQuery,
    payload: listOf(ActionHandlerRecord),
    errors: ['invalid'],
    assumed: 'the path; the list is sorted by reactor',
  },
  deleteActionHandler: {
    method: 'DELETE',
    path: '/v1/publisher/action_handler/:reactor',
    auth: 'publisher',
    summary: 'Remove an action handler',
    errors: ['notFound'],
    assumed: 'the path; actions that name its reactor are not deleted, and a warning names them',
  },
  listTemplateActions: {
    method: 'GET',
    path: '/v1/user/actions/:template',
    auth: 'user',
    summary: 'List the names of the actions of a template, for viewers',
    payload: listOf(ActionName),
    errors: ['notFound'],
    details: [
      'any user who is signed in may list the actions of a published template, because any user may own its vAtoms; a draft that is not public is visible only to its publisher and to owners of its vAtoms',
    ],
  },
} as const satisfies Rows
