import type { Connection } from './query.ts'
import { table, text } from './table.ts'

export const settings = table('settings', { key: ['key'], columns: { key: text, value: text } })

/** Settings of one database, which no copy has: the secret that signs its tokens, and what marks its folder of assets. */
export const ownSettings = ['token_secret', 'assets_folder'] as const
export type OwnSetting = (typeof ownSettings)[number]

/** What the service stores about itself. */
export const settingsOf = (db: Connection) => ({
  read: (key: string) => db.first(settings.find, { key })?.value,
  write: (key: string, value: string) => db.run(settings.replace, { key, value }),
})
