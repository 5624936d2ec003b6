import { ApiError } from '../../contract/api/errors.ts'

/** The outcome of work on files; what the file system refuses, such as a full disk, is thrown as `storage`. */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new ApiError('storage', `the files of assets cannot be read or written (${error.code})`)
  }
}
