/** Dry runs of several requests. */
export const dryRunLimits = {
  /** Changes of one dry run; what comes after is not predicted. */
  dryRunChanges: 10_000,
  /** Characters of the bodies of one dry run's changes; those of all take a quarter of `serve --max-memory` at most. */
  dryRunBodies: 16_777_216,
  /** Earlier changes that each request of a dry run carries out again; more are made in a copy of the database. */
  dryRunRepeated: 8,
  /** Bytes of the answer to a read after changes of a dry run. */
  dryRunAnswer: 2_097_152,
  /** Requests of one dry run that are sent as a list. */
  dryRunListed: 100,
  /** Characters of the method of each of them. */
  dryRunMethod: 20,
  /** Characters of the path and query of each of them: as many bytes as HTTP takes of a header. */
  dryRunPath: 16_384,
  /** Bytes of a database that is copied for a dry run. */
  dryRunCopy: 33_554_432,
  /** Changes of a dry run in a copy of the database, the last of which it can take back. */
  dryRunPlaces: 100,
  /** Rows that those change, of which the copy has what they were before. */
  dryRunPlaceRows: 1000,
  /** Copies that a user has at once, and may have made in a row, and then one a second; all without a token have them together. */
  dryRunCopies: 4,
  /** Copies that are made at a time, and requests that are carried out in copies; of one address, half of those. */
  dryRunsInCopies: 2,
  /** Milliseconds without a request after which a dry run makes room for another one of its caller, and its copy for that of any. */
  dryRunResting: 2000,
  /** Milliseconds for which a request waits until there is room for the copy that it needs. */
  dryRunWait: 10_000,
  /** Milliseconds for which the command line sends a request of a dry run again while the service asks to wait. */
  dryRunPatience: 120_000,
  /** Milliseconds without a request after which a dry run's copy is removed, and others may replace the dry run. */
  dryRunIdle: 30_000,
  /** Dry runs that a user, or an address without one, has at once; a further one replaces their oldest that rests, or waits for it. */
  dryRunsOfCaller: 8,
  /** Requests of dry runs of one caller that wait for their turn. */
  dryRunsWaiting: 200,
  /** Dry runs that all callers have at once; then addresses share the places, and the publishers of the service come first. */
  dryRuns: 128,
  /** Milliseconds that carrying out the earlier changes of a dry run again may take. */
  dryRunTime: 2000,
  /** Milliseconds for which a dry run may keep writes waiting; a longer one is made in a copy of the database. */
  dryRunLocked: 100,
  /** The same where the database has more than `dryRunFile` bytes; a longer one is refused then. After one that took more than `dryRunLocked`, the next waits four times as long as it took. */
  dryRunLockedMax: 1000,
  /** Bytes of a database that is copied into a file for a dry run that takes long. */
  dryRunFile: 1_073_741_824,
  /** Milliseconds that a dry run of a request that changes many records may take. */
  dryRunLongest: 30_000,
} as const
