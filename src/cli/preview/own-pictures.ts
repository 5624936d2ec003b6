import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { crc32 } from 'node:zlib'
import { beginsLike, notReplaced, writing } from '../io/text-files.ts'

/** Bytes of a PNG before the first chunk that may be a text: its signature, and the chunk with its size. */
const headLength = 33

/** What a picture says of the program that drew it, as a chunk of a PNG: the type, a keyword and its text. */
const mark = 'tEXtSoftware\0vatom preview'
const markChunk = chunkOf(Buffer.from(mark))

/** A PNG that says that the preview drew it, so that a later run may replace it. */
export const marked = (png: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, headLength), markChunk, png.subarray(headLength)])

function chunkOf(typed: Buffer): Buffer {
  const type = 4
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(typed.length - type)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

const markedPng = new RegExp(`^.PNG\r\n.*${mark}`, 's')

/** Throws `file_exists` where something is in the place of a picture that no preview drew; `file_unwritable` where none can be. */
export function checkReplaced(file: string, cwd: string): void {
  const path = resolve(cwd, file)
  const existing = writing(file, () => statSync(path, { throwIfNoEntry: false }))
  if (existing && !beginsLike(path, markedPng))
    throw notReplaced(
      file,
      'a picture that vatom preview has marked as its own',
      'choose another folder: --out pictures; or remove the file: earlier versions did not mark theirs',
    )
}
