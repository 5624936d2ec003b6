import { readFileSync } from 'node:fs'

/** How many numbers of users there are. */
const allUsers = 4_294_967_295

/** Whether a number stands for all users outside of this container; in most containers, one within has that number, too. */
export function mayBeOutside(uid: number): boolean {
  const ranges = usersOfContainer()
  const within = ranges.reduce((sum, [, count]) => sum + count, 0)
  return ranges.length > 0 && within < allUsers && uid === Number(linesOf('/proc/sys/kernel/overflowuid')[0])
}

/** Whether a user of this container has a number. */
export const isInside = (uid: number): boolean =>
  usersOfContainer().some(([first, count]) => uid >= first && uid < first + count)

/** The numbers of the users in the user namespace of this process: the first of each range, and how many; none where the system does not say. */
const usersOfContainer = (): (readonly [first: number, count: number])[] =>
  linesOf('/proc/self/uid_map')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => [first, count])

/** The lines of a file of the system; none where there is no such file. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
