import { finished, Readable } from 'node:stream'
import { ApiError } from '../../contract/errors.ts'
import type { WireFile } from '../../contract/wire.ts'

/** Refuses a request that is to bring files in any other form. */
export function checkMultipart(contentType: string | undefined): void {
  if (contentType !== undefined && /^multipart\/form-data\s*;/i.test(contentType)) return
  throw new ApiError(
    'invalid',
    `send the files as multipart/form-data with a boundary; the request has ${contentType ?? 'no Content-Type'}`,
  )
}

/**
 * The files of a multipart/form-data body, one after the other as they arrive; no more of it is read than is taken.
 * Parts without a file name are left out. Throws `invalid` for what is malformed or ends too early, `tooLarge` for
 * more than `most` bytes.
 */
export async function* multipartFiles(body: Readable, contentType: string, most: number): AsyncGenerator<WireFile> {
  const files = new Readable({ objectMode: true, read: () => {} })
  const contents = new Set<Readable>()
  const fail = (error: ApiError) => {
    for (const stream of [files, ...contents]) stream.destroy(error)
  }
  const parser = await parserFor(contentType)
  parser.on('file', (_field, content, fileName) => {
    contents.add(content)
    // It may fail before anybody reads it.
    content.on('error', () => {}).on('close', () => contents.delete(content))
    files.push({ name: unescaped(fileName), content: () => content } satisfies WireFile)
  })
  parser.on('finish', () => files.push(null))
  parser.on('error', (error) => fail(malformed(error)))
  const forget = finished(body, { writable: false }, (error) => error && fail(malformed('the connection was closed')))
  const count = counter(most, fail)
  try {
    body.on('data', count).pipe(parser)
    yield* files
  } finally {
    forget()
    body.off('data', count).unpipe(parser)
    parser.destroy()
    body.on('error', () => {}).resume()
  }
}

async function parserFor(contentType: string) {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      fileHwm: 256 * 1024,
      limits: { fields: 0, headerPairs: 100, headerSize: 16 * 1024 },
      isPartAFile: (_field, _type, fileName) => fileName !== undefined,
    })
  } catch (error) {
    throw malformed(error)
  }
}

const malformed = (error: unknown) =>
  new ApiError(
    'invalid',
    `the body is not whole multipart/form-data: ${error instanceof Error ? error.message : String(error)}`,
  )

function counter(most: number, fail: (error: ApiError) => void): (chunk: Uint8Array) => void {
  let size = 0
  return (chunk) => {
    size += chunk.length
    if (size > most) fail(new ApiError('tooLarge', `an upload may have ${most} bytes altogether`))
  }
}

/** A file name as it was before its sender escaped what would end it. */
const unescaped = (fileName: string) => fileName.replace(/%22|%0D|%0A/gi, decodeURIComponent)
