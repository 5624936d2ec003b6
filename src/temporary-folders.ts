import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceFailureCode } from './contract/service-failures.ts'
import { codeOf, isDiskFull, removeOwn } from './file-system.ts'
import { Leftovers } from './leftovers.ts'
import { ownTag } from './processes.ts'

/** What a temporary folder is for. */
type Use = 'assets' | 'copy' | 'preview' | 'snapshots'

/** The variable that names the folder for temporary files. */
const temporaryVariable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR'

/** The system's folder for temporary files cannot be written. */
export class TemporaryFolderError extends Error {
  override readonly name = 'TemporaryFolderError'
  readonly code = 'no_temporary_folder' satisfies ServiceFailureCode
  /** What to do about it. */
  readonly hint: string

  constructor(cause: unknown) {
    super(`${tmpdir()}, the folder for temporary files, cannot be written (${codeOf(cause)})`, { cause })
    const room = isDiskFull(cause) ? 'make room on its disk, or ' : ''
    this.hint = `${room}name a folder that can be written: ${temporaryVariable}=FOLDER`
  }
}

/** A new folder for temporary files, which only its owner can read; throws TemporaryFolderError. */
export function newTemporaryFolder(use: Use): string {
  const folder = temporaryPath(use)
  try {
    mkdirSync(folder, 0o700)
  } catch (cause) {
    throw new TemporaryFolderError(cause)
  }
  return folder
}

/** Where to make a folder for temporary files: its name says which process works in it. Those of killed processes are removed. */
export function temporaryPath(use: Use): string {
  abandoned.sweep(tmpdir())
  return join(tmpdir(), `vatom-${use}-${ownTag()}-${randomBytes(4).toString('hex')}`)
}

const named = /^vatom-(?:assets|copy|preview|snapshots)-(\d+_\d*_\w+)-[\da-f]{8}$/

const abandoned = new Leftovers(
  (name) => named.exec(name)?.[1],
  (path) => {
    if (lstatSync(path).isDirectory()) removeOwn(path)
  },
)
