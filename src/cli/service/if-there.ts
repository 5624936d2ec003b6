import { ServiceError } from '../../client/errors.ts'

/** The record that a read answers; undefined where the service has none. */
export async function ifThere<R>(read: Promise<R>): Promise<R | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined
    throw error
  }
}
