import { renameSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openSqlite } from '../../../src/server/store/database/sqlite.ts'
import { migrations } from '../../../src/server/store/migrations.ts'
import { action, perform } from '../../support/acting.ts'
import { handlerOf } from '../../support/action-handler.ts'
import { newDatabase } from '../../support/folders.ts'
import { emitted, made, testService } from '../../support/service.ts'

const name = 'local.vatom::Card'
const reactor = 'local.vatom://stamp'

/** A vAtom whose Stamp has a handler that does something with the database, which fails in the service from then on. */
async function world(breakIt: (db: string) => unknown) {
  const db = newDatabase()
  const opened = await testService({ db })
  const { publisher } = opened
  const [id = ''] = await emitted(publisher, name, 1, {}, { stamps: 0 })
  const { url } = await handlerOf(async (response) => {
    await breakIt(db)
    response.end('{}')
  })
  await made(publisher, ['POST', '/v1/publisher/action_handler', { reactor, url }])
  // A failure of the service ends it all the same.
  await action(publisher, name, 'Stamp', { reactor, abort_on_main_error: false })
  await action(publisher, name, 'Before', { reactor: 'blockv://custom/privateproperties' })
  const policy = { pre: ['Before', 'Stamp'], post: [] }
  await action(publisher, name, 'Update', {
    reactor: 'blockv://custom/privateproperties',
    policy,
    abort_on_pre_error: false,
  })
  return { ...opened, id }
}

async function upgraded(path: string) {
  const db = await openSqlite(path)
  db.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  db.close()
}

describe.each([
  ['upgraded by a newer version', upgraded, 9054, 'upgraded by a newer version'],
  ['moved away', (db: string) => renameSync(db, `${db}.away`), 9017, 'deleted, moved or replaced'],
])('a database that was %s once a handler was at work', (_, breakIt, error, why) => {
  test.each([
    ['Stamp', 'the handler of Stamp was already called'],
    ['Update', 'Before is already done'],
  ])('%s says what was done before, and is no success', async (short, done) => {
    const { publisher, id, lines } = await world(breakIt)
    const { status, body, headers, payload } = await perform(publisher, short, id, { 'private.stamps': 5 })
    expect([status, body.error, payload]).toEqual([503, error, undefined])
    expect(body.message).toMatch(new RegExp(`${why}.*, but ${done}: check the result before you try again$`))
    expect(body.message.match(/, but /g)).toHaveLength(1)
    expect(headers).not.toHaveProperty('retry-after')
    expect(headers).not.toHaveProperty('vatom-warning')
    expect(await perform(publisher, 'Before', id, { 'private.stamps': 6 })).toMatchObject({
      status: 503,
      body: { error },
    })
    expect(lines.filter((line) => line.includes('outdated: '))).toHaveLength(error === 9054 ? 1 : 0)
    expect(lines.join('\n')).not.toContain('already')
  })
})
