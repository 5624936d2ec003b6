import { join } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import type { Problem } from '../../documents/load/loaded.ts'
import { folderFrom } from '../../file-system.ts'
import { type Catalogs, labelOf } from './catalog-names.ts'
import type { Owners } from './owners.ts'

interface Run {
  readonly files: readonly string[]
  readonly catalogs: Catalogs
  readonly owners: Owners
}

/** Warns of catalogs of which nothing is known to prune: without a name, none but the machine that applied them knows it. */
export function unknownOwners({ files, catalogs, owners }: Run, cwd: string): Problem[] {
  const known = new Set(Object.values(owners))
  const given = new Set(files.flatMap((file) => catalogs[file] ?? []))
  return [...given]
    .filter((catalog) => labelOf(catalog) === null && !known.has(catalog))
    .map((folder) => unnamed(join(folderFrom(cwd, folder), projectFileName)))
}

const unnamed = (file: string): Problem => ({
  file,
  rule: 'catalog-unnamed',
  severity: 'warning',
  path: '',
  message:
    '--prune deletes nothing that this catalog had: it has no name, and this machine has not recorded what it owns',
  hint: `write "catalog: NAME" into ${file}, with a name of its own, and apply it: what then leaves its files is pruned from any machine`,
})
