import { ServiceError } from '../../client/errors.ts'
import type { ErrorName } from '../../contract/api/errors.ts'
import { Failure } from './failure.ts'
import { fromService } from './translate.ts'

/** What to do next, known already or found out where it is needed. */
export type Hint = string | (() => Promise<string>)

/** An answer; where the service refuses it, the failure carries the hint for that refusal, if there is one. */
export async function hinted<T>(answer: Promise<T>, hints: Partial<Record<ErrorName, Hint>>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const hint = error instanceof ServiceError && error.kind ? hints[error.kind] : undefined
    if (!(error instanceof ServiceError) || hint === undefined) throw error
    const { code, exitCode, message, issues } = fromService(error)
    const next = typeof hint === 'string' ? hint : await hint()
    throw new Failure(code, exitCode, message, { hint: next, issues, cause: error })
  }
}

/** The hint that names the command which lists what there is. */
export const seeList = (list: string): string => `list what exists: vatom ${list}`
