import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileMessage, makeFolder, roomRemedy } from '../../file-system.ts'
import { regularStart } from '../../regular-file.ts'
import { writeWhole } from '../../whole-file.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'

/** The text of a file, or of standard input (`-`), up to the maximum size of a document. */
export async function readText(file: string, { host, stdin }: Context): Promise<string> {
  const { readInput } = await import('../../documents/load/read.ts')
  const { limits } = await import('../../contract/limits.ts')
  const source = file === '-' ? { file: '<stdin>', named: true } : { file, path: resolve(host.cwd, file), named: true }
  const bytes = await readInput(source, { readStdin: stdin, signal: host.signal })
  if (typeof bytes === 'string') throw unreadable(file, bytes)
  if (bytes.length > limits.file) throw unreadable(file, `has more than ${limits.file} bytes`)
  return Buffer.from(bytes).toString('utf8')
}

const unreadable = (file: string, why: string) => new Failure('file_unreadable', exit.refused, `${file}: ${why}`)

/** Writes a file below the working directory, and creates its folders. Throws `file_unwritable`. */
export function writeText(cwd: string, file: string, text: string): void {
  const path = resolve(cwd, file)
  writing(file, () => {
    makeFolder(dirname(path))
    writeWhole(path, text)
  })
}

/** Does work that writes a file or folder; throws `file_unwritable` if the system refuses it. */
export function writing<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    const room = roomRemedy(cause)
    throw new Failure('file_unwritable', exit.refused, `${file} cannot be written: ${fileMessage(cause)}`, {
      hint: room ? `${room}, or choose another place` : 'choose another place, or correct its permissions',
      cause,
    })
  }
}

/** The failure for a file that exists and is not what a command writes. */
export const notReplaced = (file: string, what: string, hint: string): Failure =>
  new Failure('file_exists', exit.refused, `${file} exists and is not ${what}; it was not replaced`, { hint })

/** Whether there is a regular file that is not empty, also one that cannot be read. */
export function holdsText(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size > 0
}

/** Bytes that show what a file is. */
const beginning = 512

/** Whether a regular file begins with what the pattern matches; only its beginning is read. */
export function beginsLike(path: string, pattern: RegExp): boolean {
  try {
    const start = regularStart(path, beginning)
    return start !== undefined && pattern.test(start.toString())
  } catch {
    return false
  }
}
