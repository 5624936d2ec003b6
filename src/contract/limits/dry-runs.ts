/** Dry runs of several requests. */
export const dryRunLimits = {
  /** Changes of one dry run. */
  dryRunChanges: 1000,
  /** Bytes of the bodies of one dry run's changes. */
  dryRunBodies: 4_194_304,
  /** Dry runs of several requests that the service remembers; the oldest is dropped. */
  dryRuns: 8,
  /** Milliseconds in which the earlier changes of a dry run must be carried out again. */
  dryRunTime: 2000,
} as const
