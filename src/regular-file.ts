import { Buffer } from 'node:buffer'
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { codeOf } from './file-system.ts'

/** Bytes of the largest file that is read at once, where no less is asked for: no text can be longer. */
const largest = 2 ** 29 - 24

/**
 * The bytes of a regular file. Undefined for one that has more than `most`, or more than it says, and for what is no
 * regular file: a folder, or a pipe or device, which would be waited for, or read, without end. So would some files of
 * /proc, which say that they are regular, and empty. Throws where there is nothing, or what cannot be read.
 */
export function regularBytes(path: string, most = largest): Buffer | undefined {
  const { size } = statSync(path)
  const bytes = size <= most ? regularStart(path, size + 1) : undefined
  return bytes && bytes.length <= size ? bytes : undefined
}

/** The same as text. */
export const regularText = (path: string, most?: number): string | undefined => regularBytes(path, most)?.toString()

/** The first bytes of a regular file; undefined for anything else, and for a file that is waited for. Throws as `regularBytes`. */
export function regularStart(path: string, count: number): Buffer | undefined {
  if (!statSync(path).isFile()) return undefined
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return readUpTo(file, count)
  } catch (error) {
    if (!unread.includes(codeOf(error))) throw error
    return undefined
  } finally {
    closeSync(file)
  }
}

/** Why a file of the system is not read as others are: it has nothing to say yet, or only in pieces of one size. */
const unread: readonly unknown[] = ['EAGAIN', 'EINVAL']

/** The next bytes of an open file, as many as are wanted, or as there are. */
export function readUpTo(file: number, count: number): Buffer {
  const bytes = Buffer.allocUnsafe(count)
  let length = 0
  while (length < count) {
    const read = readSync(file, bytes, length, count - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}
