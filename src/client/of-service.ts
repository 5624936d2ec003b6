import type { WireResponse } from '../contract/api/wire.ts'
import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'

/**
 * Whether an error is of a vAtom service, which has a code, or none where it refuses a token. Gateways have none, or repeat
 * the status without a request_id.
 */
export function isOfService({ status, body }: WireResponse): boolean {
  const value = parseJson(body)
  if (status === 401 && isTokenRefusal(value)) return true
  const code = at(value, 'error')
  return code !== undefined && (at(value, 'request_id') !== undefined || (Number.isInteger(code) && code !== status))
}

/** `{"message": "Unauthorized"}` or `{"exp": "token expired"}`: what the services answer that the mobile SDKs know. */
const isTokenRefusal = (value: unknown): boolean =>
  at(value, 'exp') !== undefined || /^unauthorized$/i.test(String(at(value, 'message')))
