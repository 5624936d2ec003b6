import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { at } from '../../contract/schema/path.ts'

/**
 * Makes a folder with those it is in, as far as they are missing. Throws as mkdir does; where the system has folders in
 * which none can be made, such as /proc, Node's own recursive mkdir never ends.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) makeOne(folder, mode)
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    if (at(error, 'code') !== 'EEXIST') throw error
  }
}
