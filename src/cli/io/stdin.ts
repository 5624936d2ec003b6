import type { Host } from '../host.ts'

/** All of standard input, up to so many bytes, or the maximum size of a document, and one more. */
export async function readStdin(
  { stdin, signal }: Pick<Host, 'stdin' | 'signal'>,
  limit?: number,
): Promise<Uint8Array> {
  const { readBounded } = await import('../../documents/load/read.ts')
  const { addAbortSignal } = await import('node:stream')
  return readBounded(addAbortSignal(signal, stdin), limit)
}
