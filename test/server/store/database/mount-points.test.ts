import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isMountPoint } from '../../../../src/server/store/database/mount-points.ts'
import { openStore } from '../../../../src/server/store/store.ts'
import { newDatabase, newFolder } from '../../../support/folders.ts'
import { mount } from '../../../support/mounting.ts'
import { testService } from '../../../support/service.ts'

const line = (point: string) => `46 27 254:0 /home/a.db ${point} rw,relatime - ext4 /dev/vda rw\n`
const folders = ['/', '/proc', '/data'].map(line).join('')

test.each([
  ['', '/data/a.db', false],
  [folders, '/data/a.db', false],
  [`${folders}${line('/data/a.db')}`, '/data/a.db', true],
  [`${folders}${line('/data/a.db')}${line('/sys')}${line('/data/a.db.assets')}`, '/data/a.db', true],
  [`${folders}${line('/data/a.db')}`, '/data/b.db', false],
  [`${folders}${line('/data/my\\040files/a\\134b\\043\\011.db')}`, '/data/my files/a\\b#\t.db', true],
  [`${line('/data/a.db')}${folders}`, '/data/a.db', false],
])('in the table of mounts %j, %s is a mount point: %s', (table, path, is) => {
  expect(isMountPoint(path, table)).toBe(is)
})

test('a database that is mounted as a file is not opened by that name, nor by a link to it', async ({ skip }) => {
  const db = newDatabase()
  const { service } = await testService({ db })
  const folder = join(newFolder(), 'with a space')
  mkdirSync(folder)
  const [mounted, link] = [join(folder, 'a.db'), join(folder, 'link.db')]
  writeFileSync(mounted, '')
  symlinkSync(mounted, link)
  if (!mount(db, mounted)) skip('only root can mount, on Linux')
  for (const name of [mounted, link])
    await expect(openStore(name)).rejects.toMatchObject({
      code: 'db_unusable',
      message: expect.stringMatching(/ is mounted as a file, .*: mount the folder that it is in$/),
    })
  expect(service.contents()).toMatchObject({ templates: 0 })
})

test('a database in a folder that is mounted is opened', async ({ skip }) => {
  const folder = newFolder()
  if (!mount(newFolder(), folder)) skip('only root can mount, on Linux')
  const { service } = await testService({ db: join(folder, 'a.db') })
  expect(service.contents()).toMatchObject({ templates: 0 })
})
