import { RewriteError } from '../../documents/rewrite.ts'
import { exit, Failure } from '../failure/failure.ts'

/** What changes files; a file that cannot be changed is the failure. */
export async function rewriting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RewriteError)) throw error
    throw new Failure('file', exit.refused, error.message, { hint: 'no file of this step was changed', cause: error })
  }
}
