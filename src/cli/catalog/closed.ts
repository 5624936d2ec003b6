import { readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isType } from '../../documents/load/inputs.ts'
import { isDenied } from '../../file-system.ts'

/** Whether the system does not let this user see what is in a folder, or in the one that a link leads to. */
export const isClosedFolder = (path: string): boolean =>
  isType(path, 'isDirectory') && isDeniedTo(() => readdirSync(path))

/** Whether the system does not even say if there is something at a path. */
export const isClosed = (path: string): boolean => isDeniedTo(() => statSync(path, { throwIfNoEntry: false }))

/** A path as far as the system says that there is something: the folder that is closed. */
export const openPart = (path: string): string => (isClosed(path) ? openPart(dirname(path)) : path)

/** What to do about a closed folder. */
export const letRead = 'let this user read it'

/** Whether the system does not let this user look. */
function isDeniedTo(look: () => unknown): boolean {
  try {
    look()
    return false
  } catch (error) {
    return isDenied(error)
  }
}
