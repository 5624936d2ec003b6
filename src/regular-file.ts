import { Buffer } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, statSync } from 'node:fs'
import { codeOf, realPath } from './file-system.ts'

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

/**
 * The bytes of the regular file that is at a path itself, in which no link was when it was found; undefined as for
 * `regularBytes`, and where a link leads elsewhere by now. What is looked at is what is open: the owner of a folder can let
 * a name in it stand for another file at any time.
 */
export function unlinkedBytes(path: string): Buffer | undefined {
  const file = openedUnlinked(path)
  if (file === undefined) return undefined
  try {
    const found = fstatSync(file)
    if (!found.isFile() || found.size > largest || placeOf(file, path) !== path) return undefined
    const bytes = startOf(file, found.size + 1)
    return bytes && bytes.length <= found.size ? bytes : undefined
  } finally {
    closeSync(file)
  }
}

/** How a file is opened for reading that is to be no link. A pipe is not waited for. */
export const unlinkedReading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Whether what was opened so is a link or a socket. */
export const isLinkOrSocket = (error: unknown): boolean => ['ELOOP', 'ENXIO'].includes(String(codeOf(error)))

function openedUnlinked(path: string): number | undefined {
  try {
    return openSync(path, unlinkedReading)
  } catch (error) {
    if (!isLinkOrSocket(error)) throw error
    return undefined
  }
}

/** Where the file is that is open: as Linux says of it, elsewhere as its name leads, as long as that is to the same file. */
function placeOf(file: number, name: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    const [open, named] = [fstatSync(file, { bigint: true }), statSync(name, { bigint: true })]
    return open.dev === named.dev && open.ino === named.ino ? realPath(name) : undefined
  }
}

/** The first bytes of a regular file; undefined for anything else, and for a file that is waited for. Throws as `regularBytes`. */
export function regularStart(path: string, count: number): Buffer | undefined {
  if (!statSync(path).isFile()) return undefined
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return startOf(file, count)
  } finally {
    closeSync(file)
  }
}

/** The first bytes of an open file; undefined for one that is waited for. */
function startOf(file: number, count: number): Buffer | undefined {
  try {
    return readUpTo(file, count)
  } catch (error) {
    if (!unread.includes(codeOf(error))) throw error
    return undefined
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
