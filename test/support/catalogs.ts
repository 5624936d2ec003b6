import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type transports, watchedDesk } from './desks.ts'
import { action, face, template, variation } from './documents.ts'

export const coupon = 'local.vatom::Coupon::v1'
export const red = `${coupon}::Red`

/** A desk with a catalog in `catalog/`, whose files name what comes first last. */
export async function catalogDesk(transport: (typeof transports)[number] = 'local', more = '') {
  const desk = await watchedDesk(transport)
  desk.file('catalog/1-face.yaml', face())
  desk.file('catalog/2-action.yaml', action())
  desk.file('catalog/3-red.yaml', variation().replace('title: Red coupon', 'title: Red\n    description: Red'))
  desk.file('catalog/4-coupon.yaml', template(undefined, more))
  /** Brings the service to what the catalog says. */
  const applied = async (...args: string[]) => {
    const { code, err } = await desk.vatom('apply', 'catalog', '--yes', ...args)
    if (code !== 0) throw new Error(`apply exited ${code}: ${err}`)
    desk.changes()
  }
  /** What is kept of runs. */
  const ledgers = join(desk.home, '.local/share/vatom/applied')
  const kept = () => (existsSync(ledgers) ? readdirSync(ledgers).sort() : [])
  /** Takes files out of the catalog. */
  const remove = (...names: string[]) => {
    for (const name of names) rmSync(join(desk.home, 'catalog', `${name}.yaml`))
  }
  return { ...desk, applied, ledgers, kept, remove }
}
export type CatalogDesk = Awaited<ReturnType<typeof catalogDesk>>

/** Published templates of a catalog say that they are no drafts. */
export const published = (document: string) => document.replace('unpublished: true\n', 'unpublished: false\n')

/** Rows of a JSON result in short: `create template local.vatom::Coupon::v1`. */
export const rowsOf = (result: unknown, key: 'action' | 'status'): string[] =>
  Object(result).results.map((row: Record<string, unknown>) => `${row[key]} ${row.kind} ${row.name}`)
