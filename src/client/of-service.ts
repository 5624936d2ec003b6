import type { WireResponse } from '../contract/api/wire.ts'
import { at } from '../contract/schema/path.ts'
import { parseJson } from '../contract/unknown-values.ts'

/** Whether an error is of a vAtom service, which has a code. Gateways have none, or repeat the status without a request_id. */
export function isOfService({ status, body }: WireResponse): boolean {
  const value = parseJson(body)
  const code = at(value, 'error')
  return code !== undefined && (at(value, 'request_id') !== undefined || (Number.isInteger(code) && code !== status))
}
