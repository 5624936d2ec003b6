import { readdirSync } from 'node:fs'
import { fileMessage, isFileError } from '../../file-system.ts'
import { regularText } from '../../regular-file.ts'
import { exit, Failure } from '../failure/failure.ts'

/** The text of a regular file of the repository, as `regularText` has it. Throws a failure where it cannot be read. */
export const textAt = (file: string): string | undefined => readAt(file, () => regularText(file))

/** The names in a folder of the repository. Throws a failure where it cannot be read. */
export const namesIn = (folder: string): string[] => readAt(folder, () => readdirSync(folder))

/** What is read at a path. A pipeline depends on those that are there: what cannot be read is not left out. */
function readAt<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    if (!isFileError(cause)) throw cause
    throw new Failure('file', exit.refused, `${path} cannot be read: ${fileMessage(cause)}; nothing was written`, {
      hint: 'let this user read it: a pipeline is written to match what the repository has',
      cause,
    })
  }
}
