import { constants, openSync } from 'node:fs'

/**
 * Another descriptor of a pipe or terminal that a descriptor has, writes to which throw EAGAIN instead of waiting for a
 * reader. One of its own: other processes have the same pipe or terminal, and may not expect that. Throws where the system
 * has none.
 */
export const withoutWaiting = (fd: number): number =>
  openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
