import { openSqlite } from '../../src/server/store/database/sqlite.ts'
import { template } from '../fixtures/bodies.ts'
import { action, perform } from './acting.ts'
import { answering } from './action-handler.ts'
import { newDatabase } from './folders.ts'
import { type Caller, made } from './service.ts'
import { twoPublishers } from './worlds.ts'

/** The template of a vAtom with an action that each user can run once. */
export const name = 'local.vatom::Coupon'
/** The reactor of a handler of the publisher. */
export const own = 'local.vatom://stamp'
export const acquire = 'blockv://v1/AcquirePubVariationWithCoins'
/** The answer to who has no run left. */
export const refused = { status: 400, body: { error: 9040 } }

/** A public vAtom with an action Gift, which each user can run once, and which gives them another one before it runs. */
export async function giftWorld(settings: object, db = newDatabase()) {
  const opened = await twoPublishers({ db })
  const { publisher } = opened
  const { url, asked } = await answering({})
  const variation = { unpublished: false, public: true, auto_create_on_acquire: true }
  const { ids } = await made(
    publisher,
    ['POST', '/v1/templates', template({ template: name, unpublished: false }, { visibility: { type: 'public' } })],
    ['POST', '/v1/template_variations', { template: name, template_variation: `${name}::V`, ...variation }],
    ['POST', '/v1/publisher/action_handler', { reactor: own, url }],
    ['POST', '/v1/vatoms', { template_variation: `${name}::V`, num: 1 }],
  )
  const id = String(ids[0])
  await action(publisher, name, 'AcquirePubVariation', { reactor: acquire })
  await action(publisher, name, 'Gift', { limit_per_user: 1, policy: { pre: ['AcquirePubVariation'] }, ...settings })
  return { ...opened, db, id, asked, gift: (user: Caller) => perform(user, 'Gift', id) }
}

/** How many rows a table of a database has. */
export async function rowsIn(db: string, table: string): Promise<number> {
  const sqlite = await openSqlite(db)
  const row = sqlite.prepare(`SELECT count(*) AS count FROM ${table}`).get()
  sqlite.close()
  return Number(Object(row).count)
}

export const reservedIn = (db: string) => rowsIn(db, 'reserved_runs')
