import { closeSync, existsSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { namesIn, sync, syncFolder } from '../../../file-system.ts'
import { hasEnded, ownTag, tagPattern } from '../../../processes.ts'
import type { OwnSetting } from '../settings.ts'
import { firstValue, openSqlite, type Sqlite } from './sqlite.ts'

/**
 * Copies a database, as it was, to `<file>.v<version>.bak`, unless that file exists. It has that name once it is whole;
 * what killed processes left is removed.
 */
export function backUp(db: Sqlite, path: string, version: number): void {
  const copy = `${path}.v${version}.bak`
  removeLeftovers(copy)
  if (existsSync(copy)) return
  const draft = `${copy}-${ownTag()}`
  try {
    closeSync(openSync(draft, 'a', 0o600))
    db.prepare('VACUUM INTO ?').run(draft)
    sync(draft, 'r+')
    // Another process may have upgraded the database meanwhile: the copy that it made before is right for sure.
    if (!existsSync(copy)) renameSync(draft, copy)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(copy))
}

/** What follows the name of a copy in that of one that is not whole, and of the file that SQLite has beside it. */
const unfinished = new RegExp(`^-(${tagPattern})(-journal)?$`)

function removeLeftovers(copy: string): void {
  const folder = dirname(copy)
  const name = basename(copy)
  for (const file of readdirSync(folder)) {
    const [, tag] = (file.startsWith(name) && unfinished.exec(file.slice(name.length))) || []
    const path = join(folder, file)
    if (tag !== undefined && (tag === ownTag() || hasEnded(tag, path))) rmSync(path, { force: true })
  }
}

/**
 * The copies that upgrades made of a database: regular files of their names with the secret that signs its tokens, which
 * no other database has.
 */
export async function copiesOf(path: string, secret: string): Promise<string[]> {
  const folder = dirname(path)
  const named = namesIn(folder).filter((name) => isCopyName(name, basename(path)))
  const files = named.map((name) => join(folder, name)).filter((file) => lstatSync(file).isFile())
  const copies: string[] = []
  for (const file of files) if ((await secretIn(file)) === secret) copies.push(file)
  return copies.sort()
}

const isCopyName = (name: string, database: string): boolean =>
  name.startsWith(database) && /^\.v[1-9]\d*\.bak$/.test(name.slice(database.length))

const secretKey: OwnSetting = 'token_secret'

/** The secret in a database; undefined for a file that is none of this service, or cannot be read. */
async function secretIn(file: string): Promise<unknown> {
  let db: Sqlite | undefined
  try {
    db = await openSqlite(file)
    return firstValue(db, `SELECT value FROM settings WHERE key = '${secretKey}'`)
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}
