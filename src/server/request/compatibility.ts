import type { IncomingHttpHeaders } from 'node:http'
import type { Auth } from '../../contract/api/endpoint.ts'
import type { Operation } from '../../contract/api/table.ts'
import { warning } from '../../contract/api/warnings.ts'
import type { Environment } from '../environment.ts'
import type { Notices } from './notices.ts'
import type { Route } from './routes.ts'

/** Who may call an operation. For `sdk`, Logout needs no token: the Android SDK has removed its own by then. */
export const callerOf = ({ operation, row }: Route, headers: IncomingHttpHeaders, compat: Compat): Auth =>
  compat === 'sdk' && operation === 'logout' && headers.authorization === undefined ? 'none' : row.auth

type Body = Record<string, unknown>
type Compat = Environment['compat']

/**
 * Changes to the bodies of some operations before they are checked. The misspelling `system_properites` (Spec 2.1) is
 * corrected. For `sdk`, what mobile clients send against the specification is accepted: `avatar_uri` in Update Profile,
 * and a face without `resources`.
 */
export const rewrites: Partial<Record<Operation, (body: Body, compat: Compat, notices: Notices) => Body>> = {
  updateProfile: (body, compat, notices) => {
    const spelt = withoutMisspelling(body, notices)
    return compat === 'sdk' ? withoutAvatar(spelt, notices) : spelt
  },
  registerFace: (body, compat) =>
    compat === 'sdk' && !Object.hasOwn(body, 'resources') ? { ...body, resources: [] } : body,
}

function withoutMisspelling(body: Body, notices: Notices): Body {
  if (!Object.hasOwn(body, 'system_properites')) return body
  const { system_properites, ...rest } = body
  notices.warn(warning('read-as', 'system_properites', 'system_properites is read as system_properties'))
  return { system_properties: system_properites, ...rest }
}

function withoutAvatar(body: Body, notices: Notices): Body {
  if (!Object.hasOwn(body, 'avatar_uri')) return body
  const { avatar_uri: _, ...rest } = body
  notices.warn(warning('no-effect', 'avatar_uri', 'avatar_uri has no effect: it is set by uploading an avatar'))
  return rest
}
