import { createReadStream } from 'node:fs'
import type { Client } from '../../client/client.ts'
import { UnexpectedAnswerError } from '../../client/errors.ts'
import type { AssetRecord } from '../../contract/asset.ts'
import { exit, Failure } from '../failure/failure.ts'

/** A file of this machine. */
export interface LocalFile {
  /** As it was given. */
  readonly file: string
  readonly path: string
  /** Its base name. */
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** Uploads one file; tells of the bytes that are on their way, and of a file that cannot be read to its end. */
export async function sendFile(
  client: Client,
  { file, path, name }: LocalFile,
  signal: AbortSignal,
  advance: (bytes: number) => void,
): Promise<AssetRecord> {
  let sent = 0
  let broken: unknown
  async function* content() {
    advance(-sent)
    sent = 0
    try {
      for await (const chunk of createReadStream(path, { signal })) {
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
    const [asset] = await client.uploadAssets({ files: [{ name, content }] })
    if (asset === undefined) throw new UnexpectedAnswerError('Upload Assets answered no asset')
    return asset
  } catch (error) {
    throw broken === undefined || signal.aborted ? error : unreadable(file, broken)
  }
}

const unreadable = (file: string, cause: unknown) =>
  new Failure(
    'file_unreadable',
    exit.refused,
    `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  )
