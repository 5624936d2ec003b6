/**
 * Header of a request that is to be a dry run, and of every answer of a service that offers them.
 *
 * A dry run is carried out and rolled back: its answer is the one that the request would have had, a refusal included,
 * and nothing is stored, sent or called. It says `true`, or `ID/N` in a dry run of several requests that depend
 * on each other: `ID` is chosen by the client and known to its user alone (without one, to its address), `N` the number
 * of changes that this dry run has made so far. The service answers as after those, and takes all of them back: it carries
 * a few out again, and makes many in a copy of its database. Ids that it makes up may differ each time.
 *
 * An answer says `true` where its request had the header, else `supported`; any other value of a request is refused with
 * 400. Services that do not know the header would carry a change out, and a gateway may remove it on the way: send a read
 * with `true` first, which is answered as ever, and a dry run only after an answer that says `true`. Many requests of one
 * dry run can be sent as a list (`DryRunList`).
 */
export const dryRunHeader = 'vatom-dry-run'
export const dryRunDone = 'true'
export const dryRunSupported = 'supported'
