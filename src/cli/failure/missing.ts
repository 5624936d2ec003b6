import { ServiceError } from '../../client/errors.ts'
import type { ErrorName } from '../../contract/errors.ts'
import { exit, Failure } from './failure.ts'

/** An answer about a record; where that is not there, the failure says what to do next. */
export async function orMissing<T>(answer: Promise<T>, hint: string, kind: ErrorName = 'notFound'): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== kind) throw error
    throw new Failure('not_found', exit.refused, error.message, { hint, cause: error })
  }
}

/** The hint that names the command which lists what there is. */
export const seeList = (list: string): string => `see what there is: vatom ${list}`
