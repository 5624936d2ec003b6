import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, listOf } from '../schema/lazy-schema.ts'

/** Assumptions about dry runs, which the specification does not mention. */
export const dryRunDetails = [
  'a request with Vatom-Dry-Run: true is a dry run: it predicts the answer to the request, and changes nothing; every answer to a request with the header has Vatom-Dry-Run: true, reads included, and every other answer Vatom-Dry-Run: supported',
  'Vatom-Dry-Run: ID/N continues the dry run ID after its first N changes, none of which is stored; the answer is 409 if the service no longer has those changes, and 400 (9047) if it can predict no more',
  'POST /__vatom/dry-run takes a list of requests of one dry run, and answers as each of them would be answered with the same headers',
  'uploads and logins with a password cannot be dry runs (9045); a dry run calls no action handlers, and warns of each that it leaves out',
] as const

/** A dry run of several requests: its name, and how many changes it has made so far. */
export interface DryRunPlace {
  readonly id: string
  readonly changes: number
}

export const printPlace = ({ id, changes }: DryRunPlace): string => `${id}/${changes}`

/** Where lists are sent. */
export const dryRunListPath = '/__vatom/dry-run'

/** Changes that continue a dry run after its first `changes` changes; each has the headers of the request with the list. */
export const DryRunList = lazy(() =>
  z.strictObject({
    id: z.string().regex(/^[\w-]{1,64}$/),
    changes: z.int().min(0).max(limits.dryRunChanges),
    requests: z
      .array(
        z.strictObject({
          method: z.string().max(limits.dryRunMethod),
          path: z.string().max(limits.dryRunPath).describe('Path and query.'),
          body: z.string().optional().describe('JSON text.'),
        }),
      )
      .min(1)
      .max(limits.dryRunListed),
  }),
)

/** The answers to the requests of a list, in order; none after one that ends the dry run. */
export const DryRunAnswers = listOf(() =>
  z.looseObject({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }),
)

/** `true`, or the place in a dry run of several; `dryRunValues` says it in words. */
export const dryRunPattern = /^(?:true|([\w-]{1,64})\/(\d{1,5}))$/

export const dryRunValues =
  'Vatom-Dry-Run must be true or ID/N: ID of 1 to 64 letters, digits, - and _, N the number of changes so far'

/** The place of a request in a dry run of several; `alone` for one by itself, undefined for what is neither. */
export function parsePlace(text: string): DryRunPlace | 'alone' | undefined {
  const found = dryRunPattern.exec(text)
  if (!found) return undefined
  const [, id, changes] = found
  return id === undefined ? 'alone' : { id, changes: Number(changes) }
}
