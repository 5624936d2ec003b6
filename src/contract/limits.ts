import { actionRunLimits } from './limits/action-runs.ts'
import { documentLimits } from './limits/documents.ts'
import { dryRunLimits } from './limits/dry-runs.ts'
import { requestLimits } from './limits/requests.ts'
import { searchLimits } from './limits/searches.ts'
import { signInLimits } from './limits/sign-in.ts'
import { testingLimits } from './limits/testing.ts'
import { tokenLifetimes } from './limits/token-lifetimes.ts'
import { websocketLimits } from './limits/websockets.ts'

/** Every limit by subject, each subject in a file of its name; `vatom help limits` shows them as tables. */
export const limitGroups = {
  documents: documentLimits,
  requests: requestLimits,
  searches: searchLimits,
  'sign-in': signInLimits,
  'token-lifetimes': tokenLifetimes,
  'action-runs': actionRunLimits,
  websockets: websocketLimits,
  'dry-runs': dryRunLimits,
  testing: testingLimits,
} as const

/** What the service and the command line take at most. */
export const limits = {
  ...documentLimits,
  ...requestLimits,
  ...searchLimits,
  ...signInLimits,
  ...tokenLifetimes,
  ...actionRunLimits,
  ...websocketLimits,
  ...dryRunLimits,
  ...testingLimits,
} as const
