import { access, constants, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { messageOf } from '../../../contract/unknown-values.ts'
import { codeOf } from '../../../file-system.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { sizeText } from '../../io/text.ts'
import type { Row } from '../../kinds/results.ts'
import { notSent, type Subject } from '../../kinds/send.ts'
import type { LocalFile } from '../../service/upload.ts'

/** A file to upload, and why it cannot be uploaded, if so. */
export interface NamedFile extends LocalFile {
  readonly fault?: string
}

/** What files are uploaded as, with the limit of their size in bytes. */
interface Purpose {
  readonly noun: string
  readonly bytes: number
}
const asset: Purpose = { noun: 'an asset', bytes: limits.asset }

/** Checks files before anything is sent. */
export const checkFiles = (given: readonly string[], cwd: string, purpose = asset): Promise<NamedFile[]> =>
  Promise.all(given.map((file) => checkFile(file, resolve(cwd, file), purpose)))

async function checkFile(file: string, path: string, purpose: Purpose): Promise<NamedFile> {
  const known = { file, path, name: basename(path) }
  try {
    const found = await stat(path)
    if (found.isDirectory()) return { ...known, size: 0, fault: 'it is a folder; name the files in it' }
    if (!found.isFile()) return { ...known, size: 0, fault: 'it is not a regular file' }
    await access(path, constants.R_OK)
    return { ...known, size: found.size, ...(found.size > purpose.bytes && { fault: tooLarge(found.size, purpose) }) }
  } catch (error) {
    return { ...known, size: 0, fault: codeOf(error) === 'ENOENT' ? 'no such file' : messageOf(error) }
  }
}

/** The message about a file that is too large, in bytes if larger units show no difference. */
function tooLarge(size: number, { noun, bytes }: Purpose): string {
  const [has, may] = [size, bytes].map(sizeText)
  return has === may
    ? `it has ${size} bytes; ${noun} may have at most ${bytes}`
    : `it has ${has}; ${noun} may have at most ${may}`
}

/** The failure for files that cannot be uploaded; undefined if all can be. */
export function faultsOf(files: readonly NamedFile[]): Failure | undefined {
  const faults = files.flatMap(({ file, fault }) => (fault === undefined ? [] : [{ path: file, message: fault }]))
  const [first] = faults
  if (first === undefined) return undefined
  if (files.length === 1) return new Failure('invalid_files', exit.invalid, `${first.path}: ${first.message}`)
  const message = `${faults.length} of ${files.length} files cannot be uploaded; nothing was sent`
  return new Failure('invalid_files', exit.invalid, message, { issues: faults })
}

/** A file as the subject of a row. */
export const fileSubject = ({ file, name }: LocalFile): Subject => ({ file, kind: 'asset', name, problems: [] })

/** The rows of files if none was sent. */
export const unsentRows = (files: readonly NamedFile[], failure: Failure): Row[] =>
  files.map((file) =>
    file.fault === undefined
      ? notSent(fileSubject(file), failure)
      : { ...fileSubject(file), status: 'invalid', message: file.fault, failure },
  )
