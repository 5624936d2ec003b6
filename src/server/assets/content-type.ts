import { textIn } from '../domain/file-text.ts'

const binary = 'application/octet-stream'

/** Bytes at the beginning of a file by which text is distinguished from other content. */
export const headSize = 4100

/**
 * The type of a file by its content: by its signature, else as text by its root element or by the ending of its
 * name. The type that its sender gives is ignored. `head` is its first `headSize` bytes.
 */
export async function contentTypeOf(head: Uint8Array, name: string): Promise<string> {
  const signed = await bySignature(head)
  if (signed !== undefined && signed !== 'application/xml') return signed
  const text = textIn(head, head.length === headSize)
  if (text === undefined) return signed ?? binary
  if (isSvg(text)) return 'image/svg+xml'
  return (await textualType(name)) ?? signed ?? 'text/plain'
}

/**
 * The type of the signature at the beginning of a file; undefined where none fits. What is packed is not unpacked: a file of
 * 16 KB can hold 16 MB, through which others would wait.
 */
async function bySignature(head: Uint8Array): Promise<string | undefined> {
  if (isGzip(head)) return 'application/gzip'
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime
}

/** RFC 1952, 2.3.1. */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

const beforeRoot = /^(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)/is

/** Whether the root element is `svg`; comments, instructions and a document type may come before it. */
function isSvg(text: string): boolean {
  let rest = text
  for (let skipped = beforeRoot.exec(rest); skipped !== null; skipped = beforeRoot.exec(rest))
    rest = rest.slice(skipped[0].length)
  return /^<(?:[a-z]+:)?svg[\s/>]/i.test(rest)
}

const textual = /^text\/|[/+](?:json|xml|javascript|toml)$|^model\/(?:obj|mtl)$/

/** The type that the ending of a name means, if it is a type of text. */
async function textualType(name: string): Promise<string | undefined> {
  const { default: send } = await import('@fastify/send')
  const type = send.mime.getType(name)
  return type !== null && textual.test(type) ? type : undefined
}
