import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { migrations } from '../../../../src/server/store/migrations.ts'
import { openStore } from '../../../../src/server/store/store.ts'
import { template } from '../../../fixtures/bodies.ts'
import { newDatabase } from '../../../support/folders.ts'
import { doors, testService } from '../../../support/service.ts'

/** Does with a database what a newer version does when it opens it. */
async function upgrade(path: string): Promise<void> {
  const db = await openSqlite(path)
  db.exec(`CREATE TABLE of_newer (a); PRAGMA user_version = ${migrations.length + 1}`)
  db.close()
}

const refused = {
  status: 503,
  body: {
    error: 9054,
    message: expect.stringMatching(
      /^[^/]+ was upgraded by a newer version of vatom while its service is running: start the service again with that version$/,
    ),
  },
}

test.each(doors)('%s, a service refuses all requests once a newer version has upgraded its database', async (door) => {
  const db = newDatabase()
  const { publisher, send, lines } = await testService({ db }, door)
  const create = (name: string) => publisher.call('POST', '/v1/templates', { body: template({ template: name }) })
  expect(await create('local.vatom::First')).toMatchObject({ status: 200 })
  await upgrade(db)
  expect(await publisher.call('GET', '/v1/templates')).toMatchObject(refused)
  expect(await create('local.vatom::Lost')).toMatchObject(refused)
  expect(await publisher.call('GET', '/v1/user')).toMatchObject(refused)
  const login = { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'vatom-local' } }
  expect(await send('POST', '/v1/user/login', { body: login })).toMatchObject(refused)
  expect(lines.filter((line) => line.includes('outdated: '))).toHaveLength(1)
  const names = (await openSqlite(db)).prepare('SELECT name FROM templates').all()
  expect(names).toEqual([{ name: 'local.vatom::First' }])
})

test('it is not ready any more, sends no asset and takes no WebSocket, but it is healthy', async () => {
  const db = newDatabase()
  const { publisher, send } = await testService({ db }, 'over HTTP')
  expect(await send('GET', '/__vatom/ready')).toMatchObject({ status: 200 })
  await upgrade(db)
  const upgrading = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'x',
  }
  const socket = await send('GET', `/ws?app_id=local&token=${publisher.token}`, { headers: upgrading })
  expect(socket).toMatchObject(refused)
  for (const path of ['/__vatom/ready', '/__vatom/ledger', `/assets/${'a'.repeat(32)}`])
    expect(await send('GET', path)).toMatchObject(refused)
  expect(await send('GET', '/__vatom/health')).toMatchObject({ status: 200, payload: { status: 'ok' } })
})

test('work that no request asks for writes nothing there either', async () => {
  const db = newDatabase()
  const store = await openStore(db)
  onTestFinished(() => store.close())
  await upgrade(db)
  const work = vi.fn()
  await expect(store.write(work)).rejects.toMatchObject({ kind: 'outdated' })
  await expect(store.committed(work)).rejects.toMatchObject({ kind: 'outdated' })
  expect(work).not.toHaveBeenCalled()
})

test('what another process of the same version writes is no upgrade', async () => {
  const db = newDatabase()
  const { publisher } = await testService({ db })
  const other = await testService({ db })
  const body = template({ template: 'local.vatom::Other' })
  expect(await other.publisher.call('POST', '/v1/templates', { body })).toMatchObject({ status: 200 })
  expect(await publisher.call('GET', '/v1/templates')).toMatchObject({ payload: [{ name: 'local.vatom::Other' }] })
})
