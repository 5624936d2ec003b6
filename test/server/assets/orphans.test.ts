import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { machineName } from '../../../src/processes.ts'
import { openService } from '../../../src/server/service.ts'
import { avatar, smallFile } from '../../fixtures/files.ts'
import { assetPath, interruptedFile, onDisk, uploaded } from '../../support/assets.ts'
import { assetFiles, newFolder } from '../../support/folders.ts'
import { send, testService } from '../../support/service.ts'

/** A folder as a crash leaves it; `service` opens its database. */
async function afterCrash(leave: (folder: string) => void) {
  const disk = onDisk()
  const { service, publisher } = await testService({ db: disk.db })
  const [asset] = await uploaded(publisher, smallFile())
  await service.close()
  leave(disk.folder)
  const opened = async () => {
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const service = await openService({ db: disk.db, scryptCost: 16, log })
    onTestFinished(() => service.close())
    const headers = { authorization: `Bearer ${service.localToken()}` }
    return { service, lines, ask: (method: string, at = assetPath) => send(service, method, at, { headers }) }
  }
  return { ...disk, asset, opened }
}

/** The id of a process that has ended: no process has one as large. */
const endedProcess = 2 ** 30

describe('a folder beside a new database', () => {
  /** A folder with an asset, whose database is gone; `marked` is whether it says which that was. */
  async function orphaned(marked: boolean) {
    const disk = onDisk()
    const old = await testService({ db: disk.db })
    const [asset] = await uploaded(old.publisher, smallFile())
    await old.service.close()
    for (const end of ['', '-wal', '-shm']) rmSync(`${disk.db}${end}`, { force: true })
    if (!marked) rmSync(join(disk.folder, '.database'))
    return { ...disk, asset }
  }

  test.each([true, false])('keeps the files of another one, logs that once, and stores new ones', async (marked) => {
    const { db, files, folder, asset } = await orphaned(marked)
    const { service, publisher, lines } = await testService({ db })
    await service.listen({ host: '127.0.0.1', port: 0 })
    const [added] = await uploaded(publisher, smallFile())
    await service.reset()
    expect(files().sort()).toEqual([asset.id, added.id].sort())
    expect(lines.filter((line) => line.includes(folder))).toEqual([expect.stringContaining('another database')])
  })

  test('of an older version becomes the database’s own', async () => {
    const unrecorded = randomUUID()
    const { folder, files, asset, opened } = await afterCrash((folder) => {
      rmSync(join(folder, '.database'))
      writeFileSync(join(folder, unrecorded), 'no record')
    })
    const { ask } = await opened()
    await ask('GET')
    expect(files().sort()).toEqual([asset.id, `${unrecorded}.unrecorded`].sort())
    expect(existsSync(join(folder, '.database'))).toBe(true)
  })
})

describe('what a crash left', () => {
  type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof afterCrash>>['opened']>>
  const operations: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
    listing: ({ ask }) => ask('GET'),
    deleting: ({ ask }) => ask('DELETE', `${assetPath}/nothing`),
    uploading: ({ ask }) => ask('POST'),
    listen: ({ service }) => service.listen({ host: '127.0.0.1', port: 0 }),
  }

  test.each(Object.entries(operations))('is removed at %s, and what is whole is set aside', async (_, operation) => {
    const unrecorded = randomUUID()
    const { asset, files, opened } = await afterCrash((folder) => {
      writeFileSync(join(folder, unrecorded), 'no record')
      writeFileSync(join(folder, `${randomUUID()}.${endedProcess}.part`), 'half')
      writeFileSync(join(folder, `${randomUUID()}.${process.pid}.part`), 'an earlier process of the same id')
    })
    await operation(await opened())
    expect(files().sort()).toEqual([asset.id, `${unrecorded}.unrecorded`].sort())
  })

  test('is distinguished from other files', async () => {
    const live = `${randomUUID()}.${process.ppid}.part`
    const foreign = [
      'readme.txt',
      `${randomUUID()}.png`,
      `${randomUUID()}.part`,
      'x.1.part',
      randomUUID().toUpperCase(),
    ]
    const { asset, files, opened } = await afterCrash((folder) => {
      for (const name of [live, ...foreign]) writeFileSync(join(folder, name), '')
    })
    await (await opened()).ask('GET')
    expect(files().sort()).toEqual([asset.id, live, ...foreign].sort())
  })

  test('of another container is left to it for a day', async () => {
    const [fresh, old] = [`${randomUUID()}.1_5_elsewhere.part`, `${randomUUID()}.1_5_elsewhere.part`]
    const { asset, files, opened } = await afterCrash((folder) => {
      for (const name of [fresh, old]) writeFileSync(join(folder, name), '')
      const before = Date.now() / 1000 - 25 * 3600
      utimesSync(join(folder, old), before, before)
    })
    await (await opened()).ask('GET')
    expect(files().sort()).toEqual([asset.id, fresh].sort())
  })

  test('of a process that has ended is removed, though another one has its number now', async () => {
    const { asset, files, opened } = await afterCrash((folder) => {
      writeFileSync(join(folder, `${randomUUID()}.${process.ppid}_1_${machineName()}.part`), '')
    })
    await (await opened()).ask('GET')
    expect(files()).toEqual([asset.id])
  })

  test('is searched for once', async () => {
    const { folder, opened } = await afterCrash(() => {})
    const { ask } = await opened()
    await ask('GET')
    const later = join(folder, randomUUID())
    writeFileSync(later, '')
    await ask('GET')
    expect(existsSync(later)).toBe(true)
  })

  test('is not searched for again after uploads that were refused', async () => {
    const { folder, opened } = await afterCrash(() => {})
    const { service, ask } = await opened()
    await ask('GET')
    const later = join(folder, randomUUID())
    writeFileSync(later, '')
    const headers = { authorization: `Bearer ${service.localToken()}` }
    for (const status of [400, 400])
      expect(await send(service, 'POST', '/v1/user/avatar', { headers, files: [avatar('no picture')] })).toMatchObject({
        status,
      })
    await ask('GET')
    expect(existsSync(later)).toBe(true)
    expect(assetFiles(folder)).toHaveLength(2)
  })

  test('does not include what a service is receiving', async () => {
    const { files, opened, asset } = await afterCrash(() => {})
    const [first, second] = [await opened(), await opened()]
    const headers = { authorization: `Bearer ${first.service.localToken()}` }
    const file = interruptedFile(() => second.ask('GET'))
    const { payload } = await send(first.service, 'POST', assetPath, { headers, files: [file] })
    expect(payload).toMatchObject([{ size: 19 }])
    expect(files().sort()).toEqual([asset.id, payload[0].id].sort())
  })

  test('is left where it cannot be moved; the rest is moved, both are logged once, and no operation fails', async () => {
    const { folder, opened } = await afterCrash((folder) => {
      const unrecorded = ['0', 'f'].map((first) => join(folder, first + randomUUID().slice(1)))
      for (const file of unrecorded) writeFileSync(file, 'no record')
      mkdirSync(`${unrecorded[0]}.unrecorded`)
    })
    const { ask, lines } = await opened()
    for (let times = 0; times < 2; times++) expect(await ask('GET')).toMatchObject({ status: 200 })
    expect(lines.filter((line) => line.startsWith(folder))).toEqual([
      expect.stringContaining('1 file of no asset of this database set aside'),
      expect.stringMatching(/stays where it is, until it can be moved: .*rename/),
    ])
    expect(assetFiles(folder).filter((name) => name.endsWith('.unrecorded'))).toHaveLength(2)
  })
})

describe('while an older copy of the database is in its place', () => {
  /** Copies a database, with its log, in place of another one. */
  function copyDatabase(from: string, to: string): void {
    for (const end of ['', '-wal', '-shm']) {
      rmSync(`${to}${end}`, { force: true })
      if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`)
    }
  }

  /** A folder with two assets, whose database is that of the first alone: a service has listened on it. */
  async function copied() {
    const disk = onDisk()
    const older = join(newFolder(), 'older.db')
    const begun = await testService({ db: disk.db })
    const [first] = await uploaded(begun.publisher, smallFile('first.txt'))
    await begun.service.close()
    copyDatabase(disk.db, older)
    const later = await testService({ db: disk.db })
    const [second] = await uploaded(later.publisher, smallFile('second.txt'))
    await later.service.close()
    const newer = join(newFolder(), 'newer.db')
    copyDatabase(disk.db, newer)
    copyDatabase(older, disk.db)
    const served = await testService({ db: disk.db })
    await served.service.listen({ host: '127.0.0.1', port: 0 })
    return { ...disk, ...served, first, second, newer }
  }

  test('files of later assets are set aside, and back when the later database is', async () => {
    const { db, newer, files, lines, first, second, service } = await copied()
    expect(files().sort()).toEqual([first.id, `${second.id}.unrecorded`].sort())
    expect(lines.join()).toContain('1 file of no asset')
    await service.close()
    copyDatabase(newer, db)
    const again = await testService({ db })
    await again.service.listen({ host: '127.0.0.1', port: 0 })
    expect(files().sort()).toEqual([first.id, second.id].sort())
    expect(again.lines.join()).not.toContain('of no asset')
  })

  test.each([
    ['29 days', 29, 2],
    ['31 days', 31, 1],
  ])('after %s', async (_, days, count) => {
    const { db, files, service } = await copied()
    await service.close()
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + days * 24 * 3600 * 1000)
    onTestFinished(() => later.mockRestore())
    await (await testService({ db })).service.listen({ host: '127.0.0.1', port: 0 })
    expect(files()).toHaveLength(count)
  })

  test('a reset removes them', async () => {
    const { service, files } = await copied()
    await service.reset()
    expect(files()).toEqual([])
  })
})
