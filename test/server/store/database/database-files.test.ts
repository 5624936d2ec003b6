import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isBusy, openSqlite } from '../../../../src/server/store/database/sqlite.ts'
import { template, variation, variationName } from '../../../fixtures/bodies.ts'
import { newDatabase } from '../../../support/folders.ts'
import { made, testService } from '../../../support/service.ts'

/** A service on a file, and what creates a template there. */
async function onDisk() {
  const db = newDatabase()
  const { publisher, lines } = await testService({ db })
  const create = (name: string) => publisher.call('POST', '/v1/templates', { body: template({ template: name }) })
  expect(await create('local.vatom::First')).toMatchObject({ status: 200 })
  return { db, publisher, lines, create }
}

test.each(['', '-wal', '-shm'])('a write is refused once the file of the database%s was deleted', async (suffix) => {
  const { db, publisher, create, lines } = await onDisk()
  unlinkSync(db + suffix)
  const { status, body } = await create('local.vatom::Lost')
  expect([status, body.error]).toEqual([503, 9017])
  expect(body.message).toMatch(/^\S+ was deleted, moved or replaced while its service is running, so nothing is stored/)
  expect(body.message).not.toContain('/')
  expect(lines.join()).toContain('storage: ')
  expect(await publisher.call('GET', '/v1/templates')).toMatchObject({ payload: [{ name: 'local.vatom::First' }] })
})

test('a write is refused while the database is moved away, and stored once it is back', async () => {
  const { db, create } = await onDisk()
  renameSync(db, `${db}.away`)
  expect(await create('local.vatom::Second')).toMatchObject({ status: 503 })
  renameSync(`${db}.away`, db)
  expect(await create('local.vatom::Second')).toMatchObject({ status: 200 })
})

test('a write is refused once another file is in the place of the database', async () => {
  const { db, create } = await onDisk()
  renameSync(db, `${db}.away`)
  writeFileSync(db, '')
  expect(await create('local.vatom::Second')).toMatchObject({ status: 503 })
})

/** Resolves once a transaction writes to a database. */
async function untilWritten(db: string): Promise<void> {
  const other = await openSqlite(db)
  try {
    for (;;) {
      other.exec('BEGIN IMMEDIATE; ROLLBACK')
      await new Promise((resolve) => setImmediate(resolve))
    }
  } catch (error) {
    expect(isBusy(error)).toBe(true)
  } finally {
    other.close()
  }
}

test.each(['', '-wal', '-shm'])(
  'a long write is refused if the file of the database%s is moved while it is made, and leaves nothing',
  async (suffix) => {
    const db = newDatabase()
    const { publisher, service } = await testService({ db })
    await service.listen({ host: '127.0.0.1', port: 0 })
    await made(
      publisher,
      ['POST', '/v1/templates', template({ unpublished: false })],
      ['POST', '/v1/template_variations', variation({ unpublished: false })],
    )
    const body = { template_variation: variationName, num: 3000 }
    const emission = publisher.call('POST', '/v1/vatoms', { body })
    await untilWritten(db)
    renameSync(db + suffix, `${db}.away`)
    expect(await emission).toMatchObject({ status: 503, body: { error: 9017 } })
    const { payload } = await publisher.call('POST', '/v1/user/vatom/inventorystats', { body: {} })
    expect(payload).toEqual({ stats: [] })
  },
)
