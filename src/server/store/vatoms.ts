import type { Connection } from './query.ts'

export const vatomsOf = (_db: Connection) => ({})
