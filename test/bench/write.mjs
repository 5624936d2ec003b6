import { createRequire } from 'node:module'
import path from 'node:path'
import { loadOf } from './load.mjs'
import { alternate } from './measure.mjs'
import { publishExample, signIn } from './publisher.mjs'
import { row } from './results.mjs'
import { machine, startService } from './vatom.mjs'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
const seconds = 4

/** Commits of one row each, as fast as one connection makes them durable; a function that gives commits a second. */
function bareCommits(file) {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, json TEXT)')
  const json = 'x'.repeat(900)
  return () => {
    const insert = db.prepare('INSERT INTO t (json) VALUES (?)')
    const end = performance.now() + seconds * 1000
    let count = 0
    for (; performance.now() < end; count++) insert.run(json)
    return count / seconds
  }
}

/** Bar 9: emitting one vAtom a request over 32 connections, each answered when it is durable. */
export async function measure() {
  const { env, home } = machine()
  const { ready, stop } = await startService(['--quiet', '--db', path.join(home, 'bench.db')], env)
  const { headers, call } = await signIn(ready)
  const { variation } = await publishExample({ call })
  const body = JSON.stringify({ template_variation: variation, num: 1 })
  const emit = async () =>
    (await loadOf({ url: `${ready.base_url}/v1/vatoms`, method: 'POST', headers, body }, { seconds })).rate
  const medians = await alternate({ emit, bare: bareCommits(path.join(home, 'bare.db')) }, { rounds: 5, warmup: 1 })
  await stop()
  const what = 'durable writes, 32 connections (`emit` of one vAtom each)'
  return [
    row({ bar: 9, what, ours: medians.emit, reference: medians.bare, limit: 0.7, least: true, unit: '/s', digits: 0 }),
  ]
}
