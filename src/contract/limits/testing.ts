/** What a local service stores for those who test against it, and commands save of it. */
export const testingLimits = {
  /** Messages stored in the outbox; older ones are removed once their codes have expired. */
  outbox: 1000,
  /** Requests in the journal; older ones are removed. */
  journal: 1000,
  /** Characters of the path and query of a request in the journal. */
  journalUrl: 2000,
  /** Times that `reset` and `snapshot load` save a snapshot before they give up, if the data changes meanwhile each time. */
  snapshotSaves: 5,
} as const
