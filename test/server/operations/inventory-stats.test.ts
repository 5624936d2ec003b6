import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { Connection } from '../../../src/server/store/query.ts'
import { mostInATurn } from '../../support/during.ts'
import { newDatabase } from '../../support/folders.ts'
import { rawConnection } from '../../support/raw-connection.ts'
import { emitted } from '../../support/service.ts'
import { slowWork } from '../../support/slow-work.ts'
import { listening } from '../../support/worlds.ts'

const path = '/v1/user/vatom/inventorystats'

/** A service whose publisher has one vAtom, and as many copies of it as asked for, of variations named by SQL of `n`. */
async function world(copies: number, name: string) {
  const file = newDatabase()
  const place = await listening({ db: file })
  await emitted(place.publisher, 'local.vatom::A', 1)
  const db = await openSqlite(file)
  const same = 'owner, author, publisher_fqdn, template, parent_id, category, visibility_type, in_contract, acquirable'
  db.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${copies})
    INSERT INTO vatoms (id, template_variation, ${same}, public, created, json)
    SELECT 'copy-' || n, ${name}, ${same}, public, created, '{}' FROM vatoms, number WHERE vatoms.seq = 1`)
  db.close()
  const { port, publisher, service } = place
  const request = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nApp-Id: ${service.appId}\r\nAuthorization: Bearer ${publisher.token}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`
  return { publisher, connection: () => rawConnection(port, request) }
}

/** Long names, which are in the reverse order of the vAtoms. */
const long = `'v' || (99999 - n) || '${'x'.repeat(240)}'`

/** The chunks of an answer. */
function chunksOf(answer: string): string[] {
  const chunks: string[] = []
  for (let rest = answer.slice(answer.indexOf('\r\n\r\n') + 4); rest !== ''; ) {
    const [size = ''] = /^[0-9a-f]+/i.exec(rest) ?? []
    const begin = size.length + 2
    const end = begin + Number.parseInt(size, 16)
    chunks.push(rest.slice(begin, end))
    rest = rest.slice(end + 2)
  }
  return chunks
}

test('the numbers of many variations come in parts, in the order of the names', async () => {
  const { connection } = await world(2000, long)
  const answer = await connection().closed
  expect(answer).toMatch(/\r\ntransfer-encoding: chunked\r\n/i)
  const chunks = chunksOf(answer)
  expect(chunks.length).toBeGreaterThan(15)
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(2 * 32_768 + 1000)
  const { stats } = JSON.parse(chunks.join('')).payload
  const names = Array.from({ length: 2000 }, (_, index) => `v${97_999 + index}${'x'.repeat(240)}`)
  expect(stats).toEqual(['local.vatom::A::V', ...names].map((name) => ({ template_variation: name, count: 1 })))
})

test('a client that reads slowly receives the numbers of all variations', async () => {
  const { connection } = await world(50_000, long)
  const { socket, closed } = connection()
  socket.pause()
  await new Promise((resolve) => setTimeout(resolve, 400))
  socket.resume()
  const answer = await closed
  expect(answer.length).toBeGreaterThan(2 ** 23)
  expect(JSON.parse(chunksOf(answer).join('')).payload.stats).toHaveLength(50_001)
})

/** The numbers that are counted from now on. */
function countedNow(): readonly number[] {
  const { first } = Connection.prototype
  const counted: number[] = []
  const spy = vi.spyOn(Connection.prototype, 'first').mockImplementation(function (this: Connection, ...given) {
    const row = first.apply(this, given)
    const { count } = Object(row)
    if (typeof count === 'number') counted.push(count)
    return row
  })
  onTestFinished(() => spy.mockRestore())
  return counted
}

test('many of a variation are counted some at a time', async () => {
  const { publisher } = await world(12_000, `'v'`)
  const counted = countedNow()
  const { payload } = await publisher.call('POST', path, { body: { template_variations: ['v', 'none', 'v'] } })
  expect(payload.stats).toEqual([
    { template_variation: 'v', count: 12_000 },
    { template_variation: 'none', count: 0 },
  ])
  expect(counted).toEqual([5000, 5000, 2000, 0])
})

test('others have turns while many of a variation are counted', async () => {
  const { connection } = await world(22_000, `'v'`)
  const counted = countedNow()
  slowWork(1000)
  const { closed } = connection()
  expect(await mostInATurn(closed, () => counted)).toBeLessThan(4)
  expect(counted).toEqual([1, 5000, 5000, 5000, 5000, 2000])
  expect(await closed).toContain('"template_variation":"v","count":22000}')
})
