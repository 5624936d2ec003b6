import { statSync } from 'node:fs'

/** The device and the number of a file; undefined where there is none, or it has no number. */
export function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && found.ino !== 0 ? `${found.dev} ${found.ino}` : undefined
}
