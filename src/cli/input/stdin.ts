import { addAbortSignal } from 'node:stream'
import { exit, Failure } from '../failure/failure.ts'
import type { Host } from '../host.ts'

/** Bytes of a document on standard input at most; more is read no further. */
const most = 8 * 1024 * 1024

/** Standard input, whole. */
export async function readStdin({ stdin, signal }: Host): Promise<Uint8Array> {
  addAbortSignal(signal, stdin)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}

/** A secret from standard input: its first line, without the line's end. */
export async function readSecret(host: Host, flag: string): Promise<string> {
  const text = Buffer.from(await readStdin(host)).toString('utf8')
  const secret = text.split(/\r?\n/, 1)[0] ?? ''
  if (secret === '')
    throw new Failure('usage', exit.usage, `${flag} found nothing on standard input`, {
      hint: `printf %s "$SECRET" | vatom … ${flag}`,
    })
  return secret
}
