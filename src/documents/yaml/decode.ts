import { Buffer, isUtf8 } from 'node:buffer'
import { limits } from '../../contract/limits.ts'
import { type Finding, finding } from '../finding.ts'

/** Text of a file, without its byte order mark; or why the file is not text. */
export function decode(bytes: Uint8Array): string | Finding {
  if (bytes.length > limits.file) return tooLarge()
  if (isUtf16(bytes)) return finding('encoding', 'the file is UTF-16, not UTF-8', { hint: 'save it as UTF-8' })
  const nul = bytes.indexOf(0)
  if (nul >= 0) return notText(bytes, nul)
  if (!isUtf8(bytes)) return notUtf8(bytes)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.toString('utf8', hasMark(bytes) ? 3 : 0)
}

/** How a file begins that git-crypt has encrypted. */
const encrypted = '\0GITCRYPT\0'

function notText(bytes: Uint8Array, nul: number): Finding {
  const isEncrypted = new TextDecoder('latin1').decode(bytes.subarray(0, encrypted.length)) === encrypted
  const line = countLines(bytes.subarray(0, nul))
  return finding('encoding', `not a text file: a NUL character on line ${line}`, {
    hint: isEncrypted
      ? 'git-crypt has encrypted it: run git-crypt unlock in the checkout first'
      : 'it is binary, encrypted or damaged: take it out of the catalog, or fetch it again',
  })
}

const tooLarge = (): Finding =>
  finding('file-size', `larger than ${limits.file / 1024 / 1024} MiB`, { hint: 'split it into several files' })

const hasMark = (bytes: Uint8Array) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** The finding of the first byte that is not UTF-8: decoding replaces it with a character that the file does not have. */
function notUtf8(bytes: Uint8Array): Finding {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let offset = 0
  let from = 0
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', from)) {
    offset += Buffer.byteLength(text.slice(from, at))
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) break
    offset += 3
    from = at + 1
  }
  const value = (bytes[offset] ?? 0).toString(16).padStart(2, '0')
  const line = countLines(bytes.subarray(0, offset))
  return finding('encoding', `not UTF-8: byte 0x${value} at offset ${offset}, line ${line}`, {
    hint: 'save it as UTF-8',
  })
}

const countLines = (bytes: Uint8Array) => bytes.reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1)
