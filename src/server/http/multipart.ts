import { finished, Readable, Transform } from 'node:stream'
import type { Upload } from '../../contract/api/endpoint.ts'
import { ApiError } from '../../contract/api/errors.ts'
import type { WireFile } from '../../contract/api/wire.ts'
import { limits } from '../../contract/limits.ts'
import { messageOf } from '../../contract/unknown-values.ts'
import { keptFields, type SentParts } from '../testing/sent-parts.ts'

/** Refuses a request for an upload with any other content type. */
export function checkMultipart(contentType: string | undefined, { refusal = 'invalid' }: Upload): void {
  if (contentType !== undefined && /^multipart\/form-data\s*;/i.test(contentType)) return
  throw new ApiError(
    refusal,
    `send the files as multipart/form-data with a boundary; the request has ${contentType ?? 'no Content-Type'}`,
  )
}

/** What an upload may have at most. */
interface Most {
  readonly files: number
  readonly bytes: number
}

/**
 * The files of a multipart/form-data body, one after the other as they arrive; the body is read no faster than the files.
 * Parts without a file name are left out; `parts`, where it is given, gets them and what is read of the files. Throws `invalid` for a body that is malformed or ends too early, and
 * `tooLarge` as soon as there is too much.
 */
export async function* multipartFiles(
  body: Readable,
  contentType: string,
  most: Most,
  parts?: SentParts,
): AsyncGenerator<WireFile> {
  const files = new Readable({ objectMode: true, read: () => {} })
  const contents = new Set<Readable>()
  const parser = await parserFor(contentType, { files: most.files, ...(parts ? keptFields : noFields) })
  const gate = gateTo(files)
  const fail = (error: ApiError) => {
    body.unpipe(gate)
    gate.destroy()
    for (const stream of [files, ...contents]) stream.destroy(error)
  }
  parser.on('filesLimit', () => fail(tooMany(most.files, 'files')))
  parser.on('partsLimit', () => fail(tooMany(limits.uploadParts, 'parts')))
  parser.on('field', (name, text, _isNameCut, isCut, _encoding, type) =>
    parts?.add({ field: fieldOf(name), type, text, isCut }),
  )
  parser.on('file', (name, content, fileName, _encoding, type) => {
    contents.add(content)
    // The content may fail before it is read.
    content.on('error', () => {}).on('close', () => contents.delete(content))
    const file: WireFile = { name: unescaped(fileName), field: fieldOf(name), content: () => content }
    files.push(parts?.follow(file, type) ?? file)
  })
  parser.on('finish', () => files.push(null))
  parser.on('error', (error) => fail(malformed(error)))
  const forget = finished(body, { writable: false }, (error) => error && fail(malformed('the connection was closed')))
  const count = counter(most.bytes, fail)
  try {
    body.on('data', count).pipe(gate).pipe(parser)
    for await (const file of files) {
      gate.open()
      yield file
    }
  } finally {
    forget()
    body.off('data', count).unpipe(gate)
    gate.destroy()
    parser.destroy()
    body.on('error', () => {}).resume()
  }
}

/** The field of a part: the parser has none of one without a name. */
const fieldOf = (name: string | undefined): string => name ?? ''

/** Holds the body back while two files wait; call `open` after one was taken. */
function gateTo(files: Readable) {
  let pass: (() => void) | undefined
  const isOpen = () => files.readableLength < 2
  const gate = new Transform({
    highWaterMark: 1,
    transform: (chunk, _encoding, done) => {
      if (isOpen()) done(null, chunk)
      else pass = () => done(null, chunk)
    },
  })
  const open = () => {
    if (!isOpen()) return
    const passing = pass
    pass = undefined
    passing?.()
  }
  return Object.assign(gate, { open })
}

const noFields = { fields: 0, fieldSize: 0 }

async function parserFor(contentType: string, most: Pick<Most, 'files'> & typeof noFields) {
  const { default: Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      fileHwm: 256 * 1024,
      limits: { ...most, parts: limits.uploadParts, headerPairs: 100, headerSize: 16 * 1024 },
      isPartAFile: (_field, _type, fileName) => fileName !== undefined,
    })
  } catch (error) {
    throw malformed(error)
  }
}

const malformed = (error: unknown) =>
  new ApiError('invalid', `the body is not complete multipart/form-data: ${messageOf(error)}`)

const tooMany = (most: number, what: string) => new ApiError('tooLarge', `an upload can have at most ${most} ${what}`)

function counter(most: number, fail: (error: ApiError) => void): (chunk: Uint8Array) => void {
  let size = 0
  return (chunk) => {
    size += chunk.length
    if (size > most) fail(new ApiError('tooLarge', `an upload can have at most ${most} bytes in all`))
  }
}

/** A file name without the escapes that senders use for quotes and line breaks. */
const unescaped = (fileName: string) => fileName.replace(/%22|%0D|%0A/gi, decodeURIComponent)
