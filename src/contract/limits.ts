import { actionRunLimits } from './limits/action-runs.ts'
import { documentLimits } from './limits/documents.ts'
import { dryRunLimits } from './limits/dry-runs.ts'
import { requestLimits } from './limits/requests.ts'
import { signInLimits } from './limits/sign-in.ts'
import { testingLimits } from './limits/testing.ts'
import { tokenLifetimes } from './limits/token-lifetimes.ts'
import { websocketLimits } from './limits/websockets.ts'

/** What the service and the command line take at most, each with its unit in the file of its subject. */
export const limits = {
  ...documentLimits,
  ...requestLimits,
  ...signInLimits,
  ...tokenLifetimes,
  ...actionRunLimits,
  ...websocketLimits,
  ...dryRunLimits,
  ...testingLimits,
} as const
