/** Dry runs of several requests. */
export const dryRunLimits = {
  /** Changes of one dry run; what comes after is not predicted. */
  dryRunChanges: 10_000,
  /** Bytes of the bodies of one dry run's changes. */
  dryRunBodies: 16_777_216,
  /** Earlier changes that each request of a dry run carries out again; more are made in a copy of the database. */
  dryRunRepeated: 20,
  /** Bytes of a database that is copied for a dry run. */
  dryRunCopy: 33_554_432,
  /** Milliseconds without a request of its dry run after which a copy is removed. */
  dryRunIdle: 30_000,
  /** Dry runs of several requests that the service remembers; the oldest is dropped. */
  dryRuns: 8,
  /** Milliseconds in which the earlier changes of a dry run must be carried out again. */
  dryRunTime: 2000,
} as const
