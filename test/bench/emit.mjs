import { createRequire } from 'node:module'
import path from 'node:path'
import { loadSource } from './load-source.mjs'
import { alternate } from './measure.mjs'
import { publishExample } from './publisher.mjs'
import { row } from './results.mjs'
import { scratchFolder } from './vatom.mjs'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
const num = 10_000

/** Calls of the service's publisher inside this process. */
function caller(service) {
  const headers = { 'app-id': service.appId, authorization: `Bearer ${service.localToken()}` }
  return async (method, route, body) => {
    const answer = await service.inject({ method, path: route, headers, body: JSON.stringify(body) })
    if (answer.status === 200) return JSON.parse(answer.body).payload
    throw new Error(`${method} ${route}: ${answer.body}`)
  }
}

/** Inserts the rows a request made into a table of the same columns and no index, in one durable transaction. */
function bareInserts(file, ids) {
  const source = new DatabaseSync(file, { readOnly: true })
  const rows = ids.map((id) => source.prepare('SELECT * FROM vatoms WHERE id = ?').get(id))
  source.close()
  const columns = Object.keys(rows[0]).filter((name) => name !== 'seq')
  const db = new DatabaseSync(`${file}.bare`)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec(`CREATE TABLE vatoms (seq INTEGER PRIMARY KEY, ${columns.join(', ')})`)
  const insert = db.prepare(`INSERT INTO vatoms (${columns}) VALUES (${columns.map(() => '?')})`)
  const values = rows.map((found) => columns.map((name) => found[name]))
  return () => {
    db.exec('BEGIN IMMEDIATE')
    for (const one of values) insert.run(...one)
    db.exec('COMMIT')
  }
}

const rateOf = async (run) => {
  const start = performance.now()
  await run()
  return num / ((performance.now() - start) / 1000)
}

/** Bar 12: emitting ten thousand vAtoms in one request, whole, with ids and answer. */
export async function measure() {
  const file = path.join(scratchFolder(), 'emit.db')
  const { openService } = await loadSource('src/server/service.ts')
  const service = await openService({ db: file })
  const call = caller(service)
  const { variation } = await publishExample({ call })
  const emit = () => call('POST', '/v1/vatoms', { template_variation: variation, num })
  const bare = bareInserts(file, (await emit()).ids)
  const medians = await alternate({ emit: () => rateOf(emit), bare: () => rateOf(bare) }, { rounds: 11 })
  await service.close()
  const what = `\`emit\` of ${num} in one request, over bare prepared inserts of the same rows without an index`
  return [
    row({ bar: 12, what, ours: medians.emit, reference: medians.bare, limit: 0.4, least: true, unit: '/s', digits: 0 }),
  ]
}
