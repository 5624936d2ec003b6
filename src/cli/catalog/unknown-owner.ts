import { join } from 'node:path'
import { projectFileName } from '../../contract/values.ts'
import type { Problem } from '../../documents/load/loaded.ts'
import { folderFrom } from '../../file-system.ts'
import { type Catalogs, labelOf } from './catalog-names.ts'
import { lostNameHint } from './lost-name.ts'
import { folderKey, type Owners } from './owners.ts'

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
    .map((folder) => unnamed(join(folderFrom(cwd, folder), projectFileName), remedyOf(folder, owners)))
}

/** What to do first where this machine has applied the folder under a name. */
function remedyOf(folder: string, owners: Owners): string {
  const name = owners[folderKey(folder)]
  return name === undefined || labelOf(name) === null ? '' : `${lostNameHint(folder, name)}; else `
}

const unnamed = (file: string, remedy: string): Problem => ({
  file,
  rule: 'catalog-unnamed',
  severity: 'warning',
  path: '',
  message:
    '--prune deletes nothing that this catalog had: it has no name, and this machine has not recorded what it owns',
  hint: `${remedy}write "catalog: NAME" into ${file}, with a name of its own, and apply it: what then leaves its files is pruned from any machine`,
})
