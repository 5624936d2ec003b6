import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { contentTypeOf, headSize } from '../../../src/server/assets/content-type.ts'
import { processorTime } from '../../../src/server/store/slices.ts'

/** An entry of a zip archive whose size only a descriptor after it says: whoever wants to know looks for that. */
function unsized(content: Buffer): Buffer {
  const header = Buffer.alloc(31)
  header.writeUInt32LE(0x04034b50)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(8, 6)
  header.writeUInt16LE(1, 26)
  header.write('a', 30)
  return Buffer.concat([header, content])
}

const archive = Buffer.concat(Array.from({ length: 16 }, () => unsized(Buffer.alloc(1_000_000))))
const headOf = (file: Buffer) => file.subarray(0, headSize)

test.each([
  ['a zip archive', archive, 'application/zip'],
  ['a zip archive in gzip', gzipSync(archive), 'application/gzip'],
])('the type of %s is known without what is packed in it', async (_, file, type) => {
  await contentTypeOf(headOf(file), 'first')
  const before = processorTime()
  for (let count = 0; count < 5; count++) expect(await contentTypeOf(headOf(file), 'a')).toBe(type)
  expect(processorTime() - before).toBeLessThan(250)
})
