import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { copyOf, openStore } from '../../../src/server/store/store.ts'
import { newDatabase, newFolder } from '../../support/folders.ts'

test('a copy has everything, secrets included, and goes through no file', async () => {
  const store = await openStore(newDatabase())
  onTestFinished(() => store.close())
  await store.write(() => store.settings.write('token_secret', 'red'))
  vi.stubEnv('TMPDIR', join(newFolder(), 'none'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const copies = [await copyOf(store), await copyOf(store)]
  onTestFinished(async () => {
    for (const copy of copies) await copy.close()
  })
  await copies[0]?.write(() => copies[0]?.settings.write('assets_folder', 'blue'))
  const read = (key: string) => [store, ...copies].map(({ settings }) => settings.read(key))
  expect(read('token_secret')).toEqual(['red', 'red', 'red'])
  expect(read('assets_folder')).toEqual([undefined, 'blue', undefined])
})
