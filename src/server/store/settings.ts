import type { Connection } from './query.ts'
import { table, text } from './table.ts'

export const settings = table('settings', { key: ['key'], columns: { key: text, value: text } })

/** The settings that stay with a database, and that no copy has: its secret for signing tokens, and its folder. */
export const ownSettings = ['token_secret', 'assets_folder'] as const
export type OwnSetting = (typeof ownSettings)[number]

/** What the service remembers about itself. */
export const settingsOf = (db: Connection) => ({
  read: (key: string) => db.first(settings.find, { key })?.value,
  write: (key: string, value: string) => db.run(settings.insert, { key, value }),
})
