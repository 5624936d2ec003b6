import { lstatSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { realPath } from './file-system.ts'

/**
 * Where a path in which this user stores something leads; it need not exist. Throws as for links that lead in a circle where
 * one of another user leads to what is not theirs: whoever can write to a folder in which this user stores something could
 * have any file of this user changed. What is in the place that it leads to is not to be followed again.
 */
export function ownPath(path: string): string {
  const whole = resolve(path)
  const above = dirname(whole)
  return above === whole ? whole : oneFollowed(join(ownPath(above), basename(whole)))
}

function oneFollowed(path: string): string {
  const found = statusOf(path)
  if (!found?.isSymbolicLink()) return path
  const real = realPath(path)
  if (isOwn(found) || (real !== path && statusOf(real)?.uid === found.uid)) return real
  throw Object.assign(new Error(`${path} is a link of another user to what is not theirs`), { code: 'ELOOP' })
}

/** What is in a place; undefined where that cannot be looked at, which says itself as it is used. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** Whether a link is of this user, or of root. Windows has no such owners. */
const isOwn = ({ uid }: Stats): boolean => process.getuid === undefined || uid === 0 || uid === process.getuid()
