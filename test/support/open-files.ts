import { existsSync, readdirSync, readlinkSync } from 'node:fs'

const descriptors = '/proc/self/fd'

/** Whether the system lists the files that a process has open. */
export const listsOpenFiles = existsSync(descriptors)

/** The files that this process has open, each as often as it is; ` (deleted)` follows on the path of one that is gone. */
export const openFiles = (): string[] => readdirSync(descriptors).map((name) => fileOf(`${descriptors}/${name}`))

/** Where a descriptor leads; the one of a list of them is closed by then. */
function fileOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor)
  } catch {
    return ''
  }
}
