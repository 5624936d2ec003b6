import { type Connection, query } from './query.ts'

const read = query<{ key: string }>()((db, value) =>
  db.selectFrom('settings').select('value').where('key', '=', value.key),
)
const write = query<{ key: string; value: string }>()((db, value) =>
  db.insertInto('settings').values({ key: value.key, value: value.value }),
)

/** What the service remembers about itself. */
export const settingsOf = (db: Connection) => ({
  read: (key: string) => db.first(read, { key })?.value,
  write: (key: string, value: string) => db.run(write, { key, value }),
})
