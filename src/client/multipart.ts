import type { Files } from '../contract/api/wire.ts'

/** A multipart/form-data body, produced while it is sent. */
export interface Multipart {
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array>
}

/** Files as a body, each a part named after its field; each is opened when it is sent. */
export function multipart(files: Files): Multipart {
  const boundary = `vatom-${crypto.randomUUID()}`
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: partsOf(files, boundary) }
}

async function* partsOf(files: Files, boundary: string): AsyncGenerator<Uint8Array> {
  for await (const { name, field = 'file', content } of files) {
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(field)}"; filename="${escaped(name)}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    )
    yield* content()
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`--${boundary}--\r\n`)
}

const escapes: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

/** A file name as browsers write it: in UTF-8, with quotes and line breaks percent-encoded. */
const escaped = (name: string) => name.replace(/["\r\n]/g, (character) => escapes[character] ?? '')
