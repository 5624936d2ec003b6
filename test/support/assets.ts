import { expect } from 'vitest'
import type { WireFile } from '../../src/contract/api/wire.ts'
import { assetFiles, newDatabase } from './folders.ts'
import type { Caller } from './service.ts'

/** Path of uploads and of the list of assets. */
export const assetPath = '/v1/publisher/asset'

/** The path of a database in a folder of its own, and of its assets. */
export function onDisk() {
  const db = newDatabase()
  return { db, folder: `${db}.assets`, files: () => assetFiles(`${db}.assets`) }
}

/** The assets that are made of files. */
export const uploaded = async ({ call }: Caller, ...files: WireFile[]) => {
  const answer = await call('POST', assetPath, { files })
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.payload
}

/** A file whose content does what a test says between its first half and its second. */
export const interruptedFile = (between: () => unknown, name = 'half.txt'): WireFile => ({
  name,
  content: async function* () {
    yield Buffer.from('one half, ')
    await between()
    yield Buffer.from('the other')
  },
})
