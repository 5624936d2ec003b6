import { dryRunDone, dryRunHeader, dryRunSupported } from '../contract/api/dry-run-header.ts'
import { type Endpoint, isCounted } from '../contract/api/endpoint.ts'
import { errorCatalogue } from '../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { undeclared } from './answer.ts'
import { type ServiceError, UnexpectedAnswerError } from './errors.ts'
import { isOfService } from './of-service.ts'
import { rawError, rowOf } from './raw.ts'
import type { Transport } from './transport.ts'

/**
 * Finds out whether the header of dry runs arrives with a change: something on the way may remove it from some methods or
 * paths. It asks once for each operation, by a request that changes nothing also without the header. Throws where the answer
 * to that says nothing of it. What is no operation does not arrive: nobody knows what would change nothing.
 */
export function arrivalFinder(send: Transport): (change: WireRequest) => Promise<boolean> {
  const found = new Map<Endpoint, Promise<boolean>>()
  return async (change) => {
    const row = rowOf(change)
    if (!row) return false
    const arrives = found.get(row) ?? isArriving(row, probeOf(change, row), send)
    found.set(row, arrives)
    return arrives
  }
}

/** The answer in place of the service's to a change that was not sent, as it would not arrive as a dry run. */
export const blockedAnswer = (): WireResponse => {
  const { status, code } = errorCatalogue.dryRunRefused
  const message = 'the header Vatom-Dry-Run is removed on the way'
  return { status, headers: {}, body: JSON.stringify({ error: code, message }) }
}

/** A request that can change nothing, and the statuses with which it is refused; any other is a failure. */
interface Probe {
  readonly request: WireRequest
  readonly refusals: readonly number[]
}

/** Whether the probe for an operation arrives with its header. */
async function isArriving(row: Endpoint, { request, refusals }: Probe, send: Transport): Promise<boolean> {
  const response = await send(request)
  if (response.headers[dryRunHeader] === dryRunDone) return true
  const failure = rawError(response)
  if (!failure) throw undeclared(row, response, { mayBeDone: false })
  if (!refusals.includes(failure.status)) throw failure
  if (isSaidByService(response)) return false
  throw unknown(row, failure)
}

/** Whether a refusal is a service's own, by its mark, or its error where that was removed: gateways answer 401 alike. */
function isSaidByService(response: WireResponse): boolean {
  const mark = response.headers[dryRunHeader]
  return mark === undefined ? response.status !== 401 && isOfService(response) : mark === dryRunSupported
}

const unknown = ({ method, path }: Endpoint, cause: ServiceError) =>
  new UnexpectedAnswerError(
    `it is not known whether dry runs of ${method} ${path} arrive: something on the way answers ${cause.status} to a request that would say it, and changes nothing`,
    { status: cause.status, cause },
  )

/**
 * The probe for the operation of a change: it names no record that exists, and its body is none that the operation takes. It
 * comes from nobody, of an unknown application, where that would not be refused, or would be counted.
 */
function probeOf({ body: _, headers, ...change }: WireRequest, row: Endpoint): Probe {
  const path = row.path.replaceAll(/:\w+/g, () => crypto.randomUUID())
  const request = { ...change, path, changes: false, repeatable: true, ...(row.body && { body: '[]' }) }
  const isRefused = row.body !== undefined || path !== row.path
  if (isRefused && !isCounted(row))
    return { request: { ...request, headers: { ...headers, ...dry } }, refusals: [400, 404] }
  const { authorization: __, authentication: ___, ...others } = headers
  const stranger = { ...others, 'app-id': crypto.randomUUID(), ...dry }
  return { request: { ...request, headers: stranger }, refusals: [401, 403] }
}

const dry = { [dryRunHeader]: dryRunDone }
