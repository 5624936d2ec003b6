import { dryRunDone, dryRunHeader } from '../contract/api/dry-run-header.ts'
import type { Endpoint } from '../contract/api/endpoint.ts'
import { errorCatalogue } from '../contract/api/errors.ts'
import type { WireRequest, WireResponse } from '../contract/api/wire.ts'
import { rawError, rowOf } from './raw.ts'
import type { Transport } from './transport.ts'

/**
 * Finds out whether the header of dry runs arrives with a change: something on the way may remove it from some methods or
 * paths. It asks once for each operation, by a request that changes nothing also without the header. Throws where the answer
 * to that says nothing of it.
 */
export function arrivalFinder(send: Transport): (change: WireRequest) => Promise<boolean> {
  const found = new Map<Endpoint | undefined, Promise<boolean>>()
  return (change) => {
    const row = rowOf(change)
    const arrives = found.get(row) ?? isMarked(row && harmless(change, row), send)
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

/** What a request is answered that is no JSON, or names no record. */
const refusals: readonly number[] = [400, 404]

async function isMarked(request: WireRequest | undefined, send: Transport): Promise<boolean> {
  if (request === undefined) return false
  const response = await send(request)
  const isArrived = response.headers[dryRunHeader] === dryRunDone
  const failure = rawError(response)
  if (!isArrived && failure && !refusals.includes(failure.status)) throw failure
  return isArrived
}

/**
 * A request for the operation of a change that can change nothing: it names no record that exists, and its body is no JSON.
 * Undefined where the operation has neither.
 */
function harmless({ body: _, ...change }: WireRequest, row: Endpoint): WireRequest | undefined {
  const path = row.path.replaceAll(/:\w+/g, () => crypto.randomUUID())
  if (path === row.path && row.body === undefined) return undefined
  return {
    ...change,
    path,
    ...(row.body && { body: '{' }),
    headers: { ...change.headers, [dryRunHeader]: dryRunDone },
    changes: false,
    repeatable: true,
  }
}
