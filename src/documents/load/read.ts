import { Buffer } from 'node:buffer'
import { closeSync, constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { limits } from '../../contract/limits.ts'
import { readUpTo } from '../../regular-file.ts'
import { type InputFile, reason } from './inputs.ts'

export interface ReadOptions {
  readonly readStdin: () => Promise<Uint8Array>
  /** Texts to read in place of inputs, by their names. */
  readonly texts?: ReadonlyMap<string, string>
  /** Bytes that are read at most, and one more; by default those of a document. */
  readonly limit?: number
  /** Bytes of a larger file that is looked through for documents. */
  readonly searched?: number
  /** Aborts the reading of a pipe that nobody writes to. */
  readonly signal?: AbortSignal | undefined
}

/** Bytes of an input, cut off one byte above the limit; or the reason why it cannot be read. */
export async function readInput(
  input: InputFile,
  { readStdin, texts, signal, limit = limits.file }: ReadOptions,
): Promise<Uint8Array | string> {
  const text = texts?.get(input.file)
  if (text !== undefined) return Buffer.from(text)
  try {
    if (input.path === undefined) return await readStdin()
    const file = openSync(input.path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(file)
    if (stat.isFile()) return readRegular(file, Math.min(stat.size, limit))
    // Reading a pipe that nobody writes to must not block a thread: the process could not be interrupted.
    if (stat.isFIFO())
      return await readBounded(new Socket({ fd: file, readable: true, writable: false, signal }), limit)
    closeSync(file)
    return await readBounded(createReadStream(input.path), limit)
  } catch (error) {
    if (signal?.aborted) throw error
    return reason(error)
  }
}

function readRegular(file: number, size: number): Uint8Array {
  try {
    return readUpTo(file, size + 1)
  } finally {
    closeSync(file)
  }
}

/** The bytes of a stream, cut off one byte above the limit, so that callers notice the excess. */
export async function readBounded(
  stream: AsyncIterable<Uint8Array | string>,
  limit: number = limits.file,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    chunks.push(bytes)
    length += bytes.length
    if (length > limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit + 1)
}
