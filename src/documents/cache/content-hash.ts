import { createHash } from 'node:crypto'

/** A hash of 64 hexadecimal digits (SHA-256): who writes a file cannot make it pass for another one that was checked. */
export function contentHash(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
