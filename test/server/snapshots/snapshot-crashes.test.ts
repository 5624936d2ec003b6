import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { openService, type Service } from '../../../src/server/service.ts'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { template } from '../../fixtures/bodies.ts'
import { smallFile } from '../../fixtures/files.ts'
import { assetFiles } from '../../support/folders.ts'
import { send } from '../../support/service.ts'
import { serviceWorker } from '../../support/service-worker.ts'

/** Saves or loads snapshots, one after the other, naming each once that is done. */
const worker = `
const { openService } = require('./service.cjs')
const [db, shelf, what] = process.argv.slice(2)
openService({ db }).then(async (service) => {
  const snapshots = await service.snapshots(shelf)
  for (let n = 0; ; n++) {
    const name = what === 'load' ? ['a', 'b'][n % 2] : 'c' + (n % 3)
    await (what === 'load' ? snapshots.load(name) : snapshots.save(name, { replace: true }))
    process.stdout.write(name + '\\n')
  }
}).catch((error) => { console.error(error); process.exitCode = 1 })
`

const { dir, program, env } = serviceWorker('crashes', worker)

/** Kills a worker at a moment after it has done so much. */
async function killed(args: readonly string[], after: number): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let left = after
  createInterface(child.stdout).on('line', () => {
    if (--left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 60)
  })
  const [code] = await once(child, 'close')
  expect(code).toBeNull()
}

/** What a service holds, in a word, after everything in it was looked at. */
async function state(db: string): Promise<string> {
  const sqlite = await openSqlite(db)
  expect(sqlite.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(sqlite.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  const texts = (sql: string) =>
    sqlite
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(Object(row))[0]))
  const tags = new Set(texts('SELECT name FROM templates').map((name) => name.split('::')[1]))
  const count = texts('SELECT name FROM templates').length
  for (const id of texts('SELECT id FROM assets')) expect(existsSync(join(`${db}.assets`, id))).toBe(true)
  expect(texts("SELECT name FROM sqlite_schema WHERE type = 'trigger'")).toHaveLength(8)
  sqlite.close()
  return `${[...tags].join()} ${count}`
}

async function fill(service: Service, tag: string): Promise<void> {
  const headers = { authorization: `Bearer ${service.localToken()}` }
  const create = (n: number) =>
    send(service, 'POST', '/v1/templates', { headers, body: template({ template: `local.vatom::${tag}::${n}` }) })
  await Promise.all(Array.from({ length: 200 }, (_, n) => create(n)))
  const files = Array.from({ length: 10 }, (_, n) => smallFile(`${tag}${n}`, `${tag} ${n}`))
  expect(await send(service, 'POST', '/v1/publisher/asset', { headers, files })).toMatchObject({ status: 200 })
}

/** A database with two snapshots of it. */
async function prepared(name: string) {
  const db = join(dir, `${name}.db`)
  const shelf = join(dir, `${name}-snapshots`)
  const service = await openService({ db, scryptCost: 16 })
  const snapshots = await service.snapshots(shelf)
  for (const tag of ['a', 'b']) {
    await service.reset()
    await fill(service, tag)
    await snapshots.save(tag, { replace: false })
  }
  return { db, shelf, service, snapshots }
}

test('a load that is killed at any moment leaves the one state or the other', async () => {
  const { db, shelf, service, snapshots } = await prepared('load')
  await service.close()
  const seen = new Set<string>()
  for (let round = 0; round < 10; round++) {
    await killed([db, shelf, 'load'], 1 + (round % 2))
    seen.add(await state(db))
  }
  expect([...seen].filter((one) => !['a 200', 'b 200'].includes(one))).toEqual([])
  expect((await snapshots.list()).map(({ name }) => name)).toEqual(['a', 'b'])
  const reopened = await openService({ db, scryptCost: 16 })
  await (await reopened.snapshots(shelf)).load('a')
  expect(await state(db)).toBe('a 200')
  expect(assetFiles(`${db}.assets`)).toHaveLength(10)
  expect(readdirSync(shelf)).toHaveLength(4)
  await reopened.close()
}, 60_000)

test('a save that is killed at any moment leaves whole snapshots alone', async () => {
  const { db, shelf, service, snapshots } = await prepared('save')
  for (let round = 0; round < 6; round++) {
    await killed([db, shelf, 'save'], 1 + round)
    for (const { name, templates, assets } of await snapshots.list()) {
      expect({ name, templates, assets }).toEqual({ name, templates: 200, assets: 10 })
      await snapshots.load(name)
      expect(await state(db)).toBe(name === 'a' ? 'a 200' : 'b 200')
    }
    await snapshots.load('b')
  }
  await snapshots.save('last', { replace: false })
  const names = (await snapshots.list()).length
  expect(readdirSync(shelf)).toHaveLength(2 * names)
  await service.close()
}, 60_000)
