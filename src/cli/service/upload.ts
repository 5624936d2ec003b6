import { open } from 'node:fs/promises'
import type { Client } from '../../client/client.ts'
import { UnexpectedAnswerError } from '../../client/errors.ts'
import type { AssetRecord } from '../../contract/api/asset.ts'
import type { WireFile } from '../../contract/api/wire.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { exit, Failure } from '../failure/failure.ts'

/** A file of this machine. */
export interface LocalFile {
  /** The path as it was given. */
  readonly file: string
  readonly path: string
  /** Its base name. */
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** Uploads one file as an asset, as `sendContent` sends it. */
export async function sendFile(
  client: Client,
  local: LocalFile,
  signal: AbortSignal,
  advance: (bytes: number) => void,
): Promise<AssetRecord> {
  const [asset] = await sendContent(local, signal, advance, (file) => client.uploadAssets({ files: [file] }))
  if (asset === undefined) throw new UnexpectedAnswerError('Upload Assets answered no asset', { mayBeDone: true })
  return asset
}

/** Sends one file and reports the sent bytes. Throws `file_unreadable` or `file_changed`. */
export async function sendContent<T>(
  { file, path, name }: LocalFile,
  signal: AbortSignal,
  advance: (bytes: number) => void,
  send: (file: WireFile) => Promise<T>,
): Promise<T> {
  let sent = 0
  let broken: unknown
  async function* content() {
    advance(-sent)
    sent = 0
    try {
      for await (const chunk of unchanged(path, file, signal)) {
        yield chunk
        sent += chunk.length
        advance(chunk.length)
      }
    } catch (error) {
      broken = error
      throw error
    }
  }
  try {
    return await send({ name, content })
  } catch (error) {
    if (broken === undefined || signal.aborted) throw error
    throw broken instanceof Failure ? broken : unreadable(file, broken)
  }
}

/** Bytes that are read at a time. */
const chunkSize = 64 * 1024

/** The content of a file. Throws before its end if the file has changed since the start. */
async function* unchanged(path: string, file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const handle = await open(path)
  try {
    const before = await handle.stat({ bigint: true })
    let read = 0n
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkSize))
      if (bytesRead === 0) break
      read += BigInt(bytesRead)
      if (read > before.size) throw changed(file)
      yield buffer.subarray(0, bytesRead)
    }
    const after = await handle.stat({ bigint: true })
    if (read !== before.size || after.size !== before.size || after.mtimeNs !== before.mtimeNs) throw changed(file)
  } finally {
    await handle.close()
  }
}

const changed = (file: string) =>
  new Failure('file_changed', exit.refused, `${file} changed while it was being sent`, { hint: 'upload it again' })

const unreadable = (file: string, cause: unknown) =>
  new Failure('file_unreadable', exit.refused, `${file} cannot be read: ${messageOf(cause)}`, { cause })
