import { usage } from '../failure/failure.ts'
import type { Host } from '../host.ts'

/** All of standard input, up to the maximum size of a document. */
export async function readStdin({ stdin, signal }: Host): Promise<Uint8Array> {
  const { readBounded } = await import('../../documents/load/read.ts')
  const { addAbortSignal } = await import('node:stream')
  return readBounded(addAbortSignal(signal, stdin))
}

/** A secret from standard input: its first line, without the line break. */
export async function readSecret(host: Host, flag: string): Promise<string> {
  const text = Buffer.from(await readStdin(host)).toString('utf8')
  const secret = text.split(/\r?\n/, 1)[0] ?? ''
  if (secret !== '') return secret
  throw usage(`${flag} found nothing on standard input`, `printf %s "$SECRET" | vatom … ${flag}`)
}
