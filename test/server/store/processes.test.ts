import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openService } from '../../../src/server/service.ts'
import { isBusy, openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { newFolder } from '../../support/folders.ts'
import { send } from '../../support/service.ts'
import { serviceWorker } from '../../support/service-worker.ts'

/** Creates templates `local.vatom::<tag>::<n>` one after the other, naming each once it is acknowledged. */
const writer = `
const { openService } = require('./service.cjs')
const [db, tag, count] = process.argv.slice(2)
openService({ db }).then(async (service) => {
  const headers = { 'app-id': service.appId, authorization: 'Bearer ' + service.localToken() }
  const vatom = { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType' } }
  for (let n = 0; n < Number(count); n++) {
    const template = 'local.vatom::' + tag + '::' + n
    const answer = await service.inject({ method: 'POST', path: '/v1/templates', headers, body: JSON.stringify({ template, vatom }) })
    if (answer.status !== 200) throw new Error(answer.body)
    process.stdout.write(template + '\\n')
  }
  await service.close()
}).catch((error) => { console.error(error); process.exitCode = 1 })
`

const { dir, program, env } = serviceWorker('processes', writer)

/** Opens new databases, each at the moment at which other processes do. */
const opener = `
const { openService } = require('./service.cjs')
const [folder, start, count] = process.argv.slice(2)
const open = async () => {
  for (let n = 0; n < Number(count); n++) {
    while (Date.now() < Number(start) + n * 25);
    await (await openService({ db: folder + '/' + n + '.db' })).close()
  }
}
open().catch((error) => { console.error(error); process.exitCode = 1 })
`
const { program: openingProgram } = serviceWorker('openers', opener)

function start(db: string, tag: string, count: number) {
  const child: ChildProcess = spawn(process.execPath, [program, db, tag, String(count)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const acknowledged: string[] = []
  if (!child.stdout) throw new Error('no output')
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => acknowledged.push(line))
  const ended = once(child, 'close').then(([code]) => code)
  return { child, lines, acknowledged, ended }
}

async function namesIn(db: string): Promise<Set<string>> {
  const service = await openService({ db })
  const headers = { authorization: `Bearer ${service.localToken()}` }
  const names = new Set<string>()
  for (let page = 1, found = 1; found > 0; page++) {
    const { payload } = await send(service, 'GET', `/v1/templates?limit=0&page=${page}`, { headers })
    for (const { name } of payload) names.add(name)
    found = payload.length
  }
  await service.close()
  return names
}

async function integrity(db: string) {
  const sqlite = await openSqlite(db)
  const rows = sqlite.prepare('PRAGMA integrity_check').all()
  sqlite.close()
  return rows.map((row) => Object(row).integrity_check)
}

test('two processes that open one new database at once both write to it', async () => {
  const db = join(dir, 'shared.db')
  const writers = ['a', 'b', 'c'].map((tag) => start(db, tag, 30))
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0])
  expect((await namesIn(db)).size).toBe(90)
  expect(await integrity(db)).toEqual(['ok'])
})

test('no write of two processes is refused while another copies the log into the file, empties it and makes the file anew', async () => {
  const db = join(dir, 'maintained.db')
  await (await openService({ db })).close()
  const writers = ['a', 'b'].map((tag) => start(db, tag, 100))
  const ended = Promise.all(writers.map((writer) => writer.ended))
  const isOver = ended.then(() => true)
  const sqlite = await openSqlite(db)
  sqlite.exec('PRAGMA busy_timeout = 20')
  const modes = ['PASSIVE', 'RESTART', 'TRUNCATE', 'FULL'].map((mode) => `PRAGMA wal_checkpoint(${mode})`)
  for (let turn = 0; !(await Promise.race([isOver, setTimeout(2)])); turn++)
    try {
      sqlite.exec([...modes, 'VACUUM'][turn % 5] ?? '')
    } catch (error) {
      expect(isBusy(error)).toBe(true)
    }
  sqlite.close()
  expect(await ended).toEqual([0, 0])
  expect((await namesIn(db)).size).toBe(200)
})

test('an acknowledged write survives a kill at any moment', async () => {
  const db = join(dir, 'killed.db')
  const acknowledged: string[] = []
  for (let round = 0; round < 5; round++) {
    const writer = start(db, `r${round}`, 100_000)
    let left = 1 + Math.floor(Math.random() * 60)
    writer.lines.on('line', () => {
      if (--left === 0) writer.child.kill('SIGKILL')
    })
    await writer.ended
    expect(writer.acknowledged.length).toBeGreaterThan(0)
    acknowledged.push(...writer.acknowledged)
  }
  const kept = await namesIn(db)
  expect(acknowledged.filter((name) => !kept.has(name)).slice(0, 5)).toEqual([])
  expect(await integrity(db)).toEqual(['ok'])
})

test('processes that open a new database at the same moment all accept it', async () => {
  const options = [newFolder(), String(Date.now() + 1000), '40']
  const openers = [1, 2, 3, 4].map(() =>
    spawn(process.execPath, [openingProgram, ...options], { env, stdio: 'inherit' }),
  )
  const codes = await Promise.all(openers.map(async (one) => (await once(one, 'close'))[0]))
  expect(codes).toEqual([0, 0, 0, 0])
}, 60_000)
