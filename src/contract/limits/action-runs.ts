/** How long actions may take, and how many may run or wait at once. */
export const actionRunLimits = {
  /** Milliseconds an action may take at most. */
  actionTimeout: 60_000,
  /** Actions that are waited for and call handlers, at once. */
  handledAtOnce: 256,
  /** Of these, by one user. */
  handledOfUser: 64,
  /** Such actions that wait for their turn. */
  handledWaiting: 1000,
  /** Of these, by one user. */
  handledWaitingOfUser: 16,
  /** Actions that are not waited for, at once. */
  laterAtOnce: 32,
  /** Of these, by one user. */
  laterAtOnceOfUser: 8,
  /** Actions that are not waited for and have not started. */
  laterWaiting: 1000,
  /** Of these, by one user. */
  laterWaitingOfUser: 200,
  /** Milliseconds for which a run of an action with `limit_per_user` that is under way counts if its service is killed. */
  runLease: 60_000,
  /** Milliseconds after which a service renews that for the runs that it has under way. */
  runLeaseRenewal: 20_000,
  /** Milliseconds after which actions that are not waited for are aborted, once the service closes. */
  laterGrace: 5000,
  /** Properties that an action sets as `private.NAME`. */
  propertiesSet: 100,
  /** Names of hosts of action handlers, other than localhost, that are looked up at once. */
  handlerLookUps: 2,
  /** Of these, for one publisher. */
  handlerLookUpsOfPublisher: 1,
  /** Milliseconds of such a look-up for which other ones wait; after that they are refused. */
  handlerLookUpWait: 1000,
  /** Bytes of what an action handler answers. */
  handlerAnswer: 262_144,
  /** Keys and values of such an answer, each counted. */
  handlerValues: 8192,
  /** Pieces in which an action handler sends its answer, as chunks are. */
  handlerPieces: 4_096,
  /** Answers of status 1xx that an action handler sends before its answer. */
  handlerNotices: 10,
} as const
