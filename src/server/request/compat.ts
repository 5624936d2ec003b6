import type { Endpoint } from '../../contract/api/endpoint.ts'
import { api } from '../../contract/api/table.ts'
import { type Warning, warning } from '../../contract/api/warnings.ts'
import { isObject } from '../../contract/schema/path.ts'

type Warn = (warning: Warning) => void
type Body = Record<string, unknown>

/**
 * A body as its sender means it: the misspelling `system_properites` (Spec 2.1), and with `sdk` what mobile clients
 * send though the specification does not take it, `avatar_uri` in Update Profile and a face without `resources`.
 */
export function understood(row: Endpoint, body: unknown, compat: 'spec' | 'sdk', warn: Warn): unknown {
  if (!isObject(body)) return body
  if (isRow(row, api.updateProfile))
    return compat === 'sdk' ? withoutAvatar(spelt(body, warn), warn) : spelt(body, warn)
  if (compat === 'sdk' && isRow(row, api.registerFace) && !Object.hasOwn(body, 'resources'))
    return { ...body, resources: [] }
  return body
}

const isRow = (row: Endpoint, { method, path }: Endpoint) => row.method === method && row.path === path

function spelt(body: Body, warn: Warn): Body {
  if (!Object.hasOwn(body, 'system_properites')) return body
  const { system_properites, ...rest } = body
  warn(warning('read-as', 'system_properites', 'system_properites is read as system_properties'))
  return { system_properties: system_properites, ...rest }
}

function withoutAvatar(body: Body, warn: Warn): Body {
  if (!Object.hasOwn(body, 'avatar_uri')) return body
  const { avatar_uri: _, ...rest } = body
  warn(warning('no-effect', 'avatar_uri', 'avatar_uri has no effect: it is set by uploading an avatar'))
  return rest
}
