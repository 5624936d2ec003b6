import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { isObject } from '../../contract/path.ts'

/**
 * What mobile clients send and the specification does not take: `avatar_uri` in Update Profile, a face without
 * `resources`. Taken without effect.
 */
export function sdkBody(row: Endpoint, body: unknown, warn: (message: string) => void): unknown {
  if (!isObject(body)) return body
  if (row.path === api.updateProfile.path && row.method === api.updateProfile.method) return withoutAvatar(body, warn)
  if (row.path === api.registerFace.path && !Object.hasOwn(body, 'resources')) return { ...body, resources: [] }
  return body
}

function withoutAvatar(body: Record<string, unknown>, warn: (message: string) => void): unknown {
  if (!Object.hasOwn(body, 'avatar_uri')) return body
  const { avatar_uri: _, ...rest } = body
  warn('avatar_uri has no effect: it is set by uploading an avatar')
  return rest
}
