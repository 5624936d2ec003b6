import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { isInside, mayBeOutside } from './container-users.ts'

/** Links that the system follows on one path: of more, it takes each for a circle. */
const mostLinks = 40

/**
 * Where a path in which this user stores something leads; it need not exist. Throws as for links that lead in a circle where
 * one on the way, of another user, leads to what is not theirs: whoever can write to a folder in which this user stores
 * something could have any file of this user changed. What is in the place that it leads to is not to be followed again.
 */
export function ownPath(path: string): string {
  const whole = resolve(path)
  const { root } = parse(whole)
  return arrival(root, whole.slice(root.length), { path, links: 0 })
}

/** A path that is followed, and how many links have been by now. */
interface Way {
  readonly path: string
  links: number
}

/** Where a path leads from a folder that is no link, one name after the other, as the system follows it. */
const arrival = (from: string, path: string, way: Way): string =>
  path.split(sep).reduce((place, name) => linkFollowed(join(place, name), way), from)

function linkFollowed(place: string, way: Way): string {
  const found = statusOf(place)
  if (!found?.isSymbolicLink()) return place
  if (++way.links > mostLinks) throw refusal(`${way.path} leads through too many links`)
  const to = readlinkSync(place)
  const { root } = parse(to)
  const end = arrival(root || dirname(place), to.slice(root.length), way)
  if (isTrusted(found, dirname(place)) || statusOf(end)?.uid === found.uid) return end
  throw refusal(`${place} is a link of another user to what is not theirs`)
}

const refusal = (message: string) => Object.assign(new Error(message), { code: 'ELOOP' })

/** What is in a place; undefined where that cannot be looked at, which says itself as it is used. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** Whether a link is of this user or of root; so is one that may be of a user outside of this container, in a folder that nobody else in it can change. */
const isTrusted = ({ uid }: Stats, folder: string): boolean => isOwn(uid) || (mayBeOutside(uid) && isFixed(folder))

/** Whether a user is this one, or root. Windows has no such owners. */
const isOwn = (uid: number): boolean => process.getuid === undefined || uid === 0 || uid === process.getuid()

/** Whether nobody else in this container can change what is in a folder. */
function isFixed(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  return (isOwn(uid) || (mayBeOutside(uid) && !isInside(uid))) && (mode & 0o022) === 0
}
