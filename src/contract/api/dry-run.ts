/**
 * Header of a request that is to be a dry run, and of every answer of a service that offers them.
 *
 * A dry run is carried out and taken back: its answer is the one that the request would have had, a refusal included,
 * and nothing of it is stored, sent or called. It says `true`, or `ID/N` in a dry run of several requests that depend
 * on each other: `ID` is chosen by the client, `N` the number of changes that this dry run has made so far. The
 * service carries those out again before it, and takes all of them back. Ids that it makes up differ each time.
 *
 * An answer says `true` where its request was a dry run, else `offered`. Services that do not know the header would
 * carry the request out: send it to none that has not offered dry runs.
 */
export const dryRunHeader = 'vatom-dry-run'
export const dryRunDone = 'true'
export const dryRunOffered = 'offered'

/** A dry run of several requests: its name, and how many changes it has made so far. */
export interface DryRunPlace {
  readonly id: string
  readonly changes: number
}

export const printPlace = ({ id, changes }: DryRunPlace): string => `${id}/${changes}`

/** The place of a request in a dry run of several; `alone` for one by itself, undefined for what is neither. */
export function parsePlace(text: string): DryRunPlace | 'alone' | undefined {
  if (text === dryRunDone) return 'alone'
  const [, id, changes] = /^([\w-]{1,64})\/(\d{1,4})$/.exec(text) ?? []
  return id === undefined ? undefined : { id, changes: Number(changes) }
}
