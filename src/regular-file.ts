import { readFileSync, statSync } from 'node:fs'

/** Bytes of the largest file that is read at once, where no less is asked for: no text can be longer. */
const largest = 2 ** 29 - 24

/**
 * The bytes of a regular file. Undefined for one that has more than `most`, and for what is no regular file: a folder, or a
 * pipe or device, which would be waited for, or read, without end. Throws where there is nothing, or what cannot be read.
 */
export function regularBytes(path: string, most = largest): Buffer | undefined {
  const found = statSync(path)
  return found.isFile() && found.size <= most ? readFileSync(path) : undefined
}

/** The same as text. */
export const regularText = (path: string, most?: number): string | undefined => regularBytes(path, most)?.toString()
