import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { projectFileName } from '../../contract/values.ts'

/**
 * A new vatom.yaml, by its file name, for the catalog of a folder. Its name is the folder's with a random end: --prune of
 * two catalogs of one name would delete each other's records.
 */
export function projectFile(folder: string): Record<string, string> {
  const name = `${catalogWords(basename(folder)) || 'catalog'}-${randomBytes(3).toString('hex')}`
  return {
    [projectFileName]: `# Records that are applied from this folder belong to this catalog, and --prune deletes no others.
# Each catalog has a name of its own.
catalog: ${name}
`,
  }
}

/** A text in the letters that a catalog's name can have: `Otono-2027` for `Otoño (2027)`; empty if there are none in it. */
const catalogWords = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\w.]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '')
