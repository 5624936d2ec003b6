import type { Host } from '../host.ts'

/** All of standard input, up to the maximum size of a document. */
export async function readStdin({ stdin, signal }: Host): Promise<Uint8Array> {
  const { readBounded } = await import('../../documents/load/read.ts')
  const { addAbortSignal } = await import('node:stream')
  return readBounded(addAbortSignal(signal, stdin))
}
