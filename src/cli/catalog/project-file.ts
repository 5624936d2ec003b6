import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { projectFileName } from '../../contract/values.ts'

/**
 * A new vatom.yaml, by its file name, for the catalog of a folder. Its name is the folder's with a random end: --prune of
 * two catalogs of one name would delete each other's records.
 */
export function projectFile(folder: string): Record<string, string> {
  const words = basename(folder)
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 40)
  const name = `${words || 'catalog'}-${randomBytes(3).toString('hex')}`
  return {
    [projectFileName]: `# Records that are applied from this folder belong to this catalog, and --prune deletes no others.
# Each catalog has a name of its own.
catalog: ${name}
`,
  }
}
