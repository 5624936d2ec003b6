import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Kind } from '../../../contract/values.ts'
import { readFile } from '../../../documents/load/read-file.ts'
import type { Place } from './places.ts'

/** A document in a file of a folder. */
export interface Beside {
  readonly file: string
  readonly kind: Kind
  readonly name: string
}

interface Where {
  readonly dir: string
  readonly cwd: string
  readonly publisher: string
}

/** Named documents in files of the catalog's folder that are none of the catalog's. Folders in it are not looked into. */
export function besideOf(places: readonly Place[], { dir, cwd, publisher }: Where): Beside[] {
  const own = new Set(places.map(({ name }) => name))
  const others = filesIn(resolve(cwd, dir)).filter((name) => /\.(ya?ml|json)$/i.test(name) && !own.has(name))
  return others.flatMap((name) => {
    const file = join(dir, name)
    const { candidates } = readFile({ file, named: false }, bytesOf(resolve(cwd, file)), {
      noun: 'template',
      publisher,
    })
    return candidates
      .filter((one) => one.kind !== 'face' && one.name !== '')
      .map((one) => ({ file, kind: one.kind, name: one.name }))
  })
}

/** Nothing where there is no folder. */
function filesIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

function bytesOf(path: string): Uint8Array | string {
  try {
    return readFileSync(path)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
