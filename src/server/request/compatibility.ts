import type { Operation } from '../../contract/api/table.ts'
import { type Warning, warning } from '../../contract/api/warnings.ts'

type Warn = (warning: Warning) => void
type Body = Record<string, unknown>
type Compat = 'spec' | 'sdk'

/**
 * Bodies of these operations are read as their sender means them: with the misspelling `system_properites` (Spec 2.1)
 * corrected, and for `sdk` with what mobile clients send though the specification does not take it: `avatar_uri` in
 * Update Profile, a face without `resources`.
 */
export const rewrites: Partial<Record<Operation, (body: Body, compat: Compat, warn: Warn) => Body>> = {
  updateProfile: (body, compat, warn) => {
    const spelt = withoutMisspelling(body, warn)
    return compat === 'sdk' ? withoutAvatar(spelt, warn) : spelt
  },
  registerFace: (body, compat) =>
    compat === 'sdk' && !Object.hasOwn(body, 'resources') ? { ...body, resources: [] } : body,
}

function withoutMisspelling(body: Body, warn: Warn): Body {
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
