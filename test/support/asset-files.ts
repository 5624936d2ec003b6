import { existsSync, readdirSync } from 'node:fs'

/** What is in a folder of assets, without what names its database. */
export const assetFiles = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.database') : []
