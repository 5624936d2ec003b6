/**
 * Header of a request that is to be a dry run, and of every answer of a service that offers them.
 *
 * A dry run is carried out and rolled back: its answer is the one that the request would have had, a refusal included,
 * and nothing is stored, sent or called. It says `true`, or `ID/N` in a dry run of several requests that depend
 * on each other: `ID` is chosen by the client and known to its user alone (without one, to its address), `N` the number
 * of changes that this dry run has made so far. The service answers as after those, and takes all of them back: it carries
 * a few out again, and makes many in a copy of its database. Ids that it makes up may differ each time.
 *
 * An answer says `true` where its request was a dry run, else `offered`; nothing else is an offer, and any other value of
 * a request is refused with 400. Services that do not know the header would
 * carry the request out: send it to none that has not offered dry runs.
 */
export const dryRunHeader = 'vatom-dry-run'
export const dryRunDone = 'true'
export const dryRunOffered = 'offered'

/** Assumptions about dry runs, which the specification does not mention. */
export const dryRunDetails = [
  'a request with Vatom-Dry-Run: true is a dry run: it predicts the answer to the request, and changes nothing; every answer has the header Vatom-Dry-Run: true after a dry run, otherwise offered',
  'Vatom-Dry-Run: ID/N continues the dry run ID after its first N changes, none of which is stored; the answer is 409 if the service no longer has those changes, and 400 (9047) if it can predict no more',
  'uploads and logins with a password cannot be dry runs (9045); a dry run calls no action handlers, and warns of each that it leaves out',
] as const

/** A dry run of several requests: its name, and how many changes it has made so far. */
export interface DryRunPlace {
  readonly id: string
  readonly changes: number
}

export const printPlace = ({ id, changes }: DryRunPlace): string => `${id}/${changes}`

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
