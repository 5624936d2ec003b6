import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '../../../src/contract/api/table.ts'
import { AssetFolder } from '../../../src/server/assets/asset-folder.ts'
import { storeUpload } from '../../../src/server/assets/receive.ts'
import { openStore } from '../../../src/server/store/store.ts'
import { smallFile } from '../../fixtures/files.ts'
import { onDisk } from '../../support/assets.ts'

test('what was named but not recorded is removed at once', async () => {
  const { db, folder, files } = onDisk()
  const store = await openStore(db)
  onTestFinished(() => store.close())
  const assets = new AssetFolder(store, db, 'owner')
  const { upload } = api.uploadAssets
  const unrecorded = storeUpload(assets, [smallFile(), smallFile()], upload, async (received) => {
    assets.store(received)
    expect(files()).toHaveLength(2)
    throw new Error('the disk is full')
  })
  await expect(unrecorded).rejects.toThrow('the disk is full')
  expect({ files: files(), folder: existsSync(folder) }).toEqual({ files: [], folder: true })
})

test('a full disk is named', async () => {
  const { db } = onDisk()
  const store = await openStore(db)
  onTestFinished(() => store.close())
  const assets = new AssetFolder(store, db, 'owner')
  const unwritten = storeUpload(assets, [smallFile()], api.uploadAssets.upload, async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  })
  await expect(unwritten).rejects.toMatchObject({
    kind: 'storage',
    message: 'the files of assets cannot be read or written: their disk is full',
  })
})
