import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { thousands } from '../../contract/schema/wording.ts'

/** Why no more of a dry run is predicted. */
const reasons = {
  database: `the database has more than ${limits.dryRunCopy / 2 ** 20} MiB, and is not copied for a longer dry run`,
  memory: 'a copy of the database for a longer dry run would take more than a quarter of --max-memory',
  changes: `a dry run has at most ${thousands(limits.dryRunChanges)} changes`,
  bodies: `the bodies of a dry run have at most ${limits.dryRunBodies / 2 ** 20} MiB`,
  time: `to carry out its earlier changes again takes more than ${limits.dryRunTime / 1000} s`,
} as const

/** The error of a dry run of which no more is predicted. */
export const dryRunFull = (reason: keyof typeof reasons): ApiError => new ApiError('dryRunFull', reasons[reason])
