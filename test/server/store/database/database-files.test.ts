import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { template } from '../../../fixtures/bodies.ts'
import { newDatabase } from '../../../support/folders.ts'
import { testService } from '../../../support/service.ts'

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
