import { ServiceError } from '../../client/errors.ts'
import type { ErrorName } from '../../contract/api/errors.ts'
import { fromService } from './translate.ts'

/** What to do next: a text, or a function that finds it when it is needed. */
export type Hint = string | (() => Promise<string | undefined>)

/** An answer of the service. If the service refuses, the failure has the hint for that error, if there is one. */
export async function hinted<T>(answer: Promise<T>, hints: Partial<Record<ErrorName, Hint>>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const hint = error instanceof ServiceError && error.kind ? hints[error.kind] : undefined
    if (!(error instanceof ServiceError) || hint === undefined) throw error
    throw fromService(error, typeof hint === 'string' ? hint : await hint())
  }
}

/** The hint that names the command which lists what there is. */
export const seeList = (list: string): string => `list what exists: vatom ${list}`
