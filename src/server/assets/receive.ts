import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Upload } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import type { Files, WireFile } from '../../contract/api/wire.ts'
import { limits } from '../../contract/limits.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { codeOf, isDiskFull, isFileError } from '../../file-system.ts'
import { TemporaryFolderError } from '../../temporary-folders.ts'
import type { Assets, Part } from './asset-folder.ts'
import { contentTypeOf, headSize } from './content-type.ts'

/** A file that has arrived whole and durably. */
export interface Received extends Part {
  readonly name: string
  readonly content_type: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

type ReceivedFiles = readonly [Received, ...Received[]]

/**
 * Receives the files of an upload, all or none, and returns what `record` does. `record` writes them to the database
 * and, in the same write, calls `folder.store`. Throws `tooLarge` for too many files or one that is too large, `storage`
 * for what the file system refuses, and for any other fault of the files the error that the upload's row declares.
 */
export async function storeUpload<T>(
  folder: Assets,
  files: Files,
  upload: Upload,
  record: (received: ReceivedFiles) => Promise<T>,
): Promise<T> {
  try {
    await folder.tidy()
    const received = await folder.during(receive(folder, files, upload))
    return await record(received).catch(async (error: unknown) => {
      await folder.withdraw(received)
      throw error
    })
  } catch (error) {
    throw refused(error, upload)
  }
}

/** A failure as the upload's row declares it; one of the file system, such as a full disk, is `storage`. */
function refused(error: unknown, { refusal }: Upload): unknown {
  if (refusal && error instanceof ApiError && error.kind === 'invalid') return new ApiError(refusal, error.message)
  if (error instanceof TemporaryFolderError) return new ApiError('storage', `${error.message}; ${error.hint}`)
  if (isFileError(error))
    return new ApiError('storage', `the files of assets cannot be read or written${reasonOf(error)}`)
  return error
}

const reasonOf = (error: unknown) => (isDiskFull(error) ? ': their disk is full' : ` (${codeOf(error)})`)

async function receive(folder: Assets, files: Files, upload: Upload): Promise<ReceivedFiles> {
  const parts: Part[] = []
  try {
    const received: Received[] = []
    for await (const file of files) {
      if (received.length === upload.files)
        throw new ApiError('tooLarge', `an upload can have at most ${upload.files} files`)
      checkField(file, upload.field)
      const part = folder.begin()
      parts.push(part)
      received.push(await receiveOne(part, file, upload.bytes))
    }
    const [first, ...more] = received
    if (!first) throw noFile()
    return [first, ...more]
  } catch (error) {
    folder.discard(parts)
    throw error
  }
}

function checkField({ field = 'file' }: WireFile, wanted: string | undefined): void {
  if (wanted === undefined || field === wanted) return
  throw new ApiError('invalid', `send the file as the field ${wanted}, not ${field}`)
}

const noFile = () =>
  new ApiError('invalid', 'the request holds no file: send each as a part of multipart/form-data with a filename')

async function receiveOne(part: Part, file: WireFile, most: number): Promise<Received> {
  const name = assetName(file.name)
  const handle = await open(part.path, 'wx', 0o600)
  try {
    const { head, ...facts } = await copy(chunksOf(file, name, most), handle)
    await handle.sync()
    return { ...part, name, ...facts, content_type: await contentTypeOf(head, file.name) }
  } finally {
    await handle.close()
  }
}

/** The content of a file. Content that ends too early is the sender's failure, not one of storage. */
async function* chunksOf({ content }: WireFile, name: string, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of content()) {
      size += chunk.length
      if (size > most) throw tooLarge(name, most)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('invalid', `${name} did not arrive completely: ${messageOf(error)}`)
  }
}

const tooLarge = (name: string, most: number) =>
  new ApiError('tooLarge', `${name} is larger than ${most} bytes (${most / 2 ** 20} MiB), the most it can have`)

async function copy(chunks: AsyncIterable<Uint8Array>, handle: FileHandle) {
  const hash = createHash('sha256')
  let size = 0
  let head = Buffer.alloc(0)
  for await (const chunk of chunks) {
    size += chunk.length
    if (head.length < headSize) head = Buffer.concat([head, chunk.subarray(0, headSize - head.length)])
    hash.update(chunk)
    await handle.writeFile(chunk)
  }
  return { size, sha256: hash.digest('hex'), head }
}

// Control characters, halves of surrogate pairs, line separators, and marks that change the direction of text.
const unfit = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu

/**
 * The name of an asset: the base name of what its sender calls the file, never a path, without characters that no
 * list or address should hold; `asset` where nothing is left.
 */
function assetName(given: string): string {
  const base = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
  const name = base
    .replace(unfit, '')
    .trim()
    .slice(0, limits.name)
    .replace(/\p{Cs}$/u, '')
    .trim()
  return /^\.{0,2}$/.test(name) ? 'asset' : name
}
