import { Buffer } from 'node:buffer'
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { type InputFile, reason } from './inputs.ts'
import { maxBytes } from './limits.ts'

/** Bytes of an input, cut off one byte above the limit; or why it cannot be read, in words. */
export async function readInput(input: InputFile, readStdin: () => Promise<Uint8Array>): Promise<Uint8Array | string> {
  try {
    if (input.path === undefined) return await readStdin()
    const file = openSync(input.path, 'r')
    const stat = fstatSync(file)
    if (stat.isFile()) return readRegular(file, stat.size)
    return await readBounded(createReadStream(input.path, { fd: file }))
  } catch (error) {
    return reason(error)
  }
}

function readRegular(file: number, size: number): Uint8Array {
  try {
    const buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1)
    return buffer.subarray(0, fill(file, buffer))
  } finally {
    closeSync(file)
  }
}

function fill(file: number, buffer: Buffer): number {
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, null)
    if (read === 0) break
    length += read
  }
  return length
}

/** Everything a stream gives, cut off one byte above the limit so that the excess shows. */
export async function readBounded(stream: AsyncIterable<Uint8Array | string>, limit = maxBytes): Promise<Uint8Array> {
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
