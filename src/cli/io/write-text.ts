import { writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../../documents/edit/make-folder.ts'
import { exit, Failure } from '../failure/failure.ts'

/** Writes a file below the working directory, with the folders it is in. */
export function writeText(cwd: string, file: string, text: string): void {
  const path = resolve(cwd, file)
  try {
    makeFolder(dirname(path))
    writeFileSync(path, text)
  } catch (cause) {
    throw new Failure('file_unwritable', exit.refused, `${file} cannot be written: ${messageOf(cause)}`, {
      hint: 'choose another place, or mend its permissions',
      cause,
    })
  }
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))
