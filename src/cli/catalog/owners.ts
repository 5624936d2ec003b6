import { realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { identityOf } from '../../contract/kinds/face.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import type { KindName } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import { type Project, projectFinder } from '../../documents/load/project.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { fileStore, type Store } from '../service/config.ts'
import { targetFile, targetName } from './plan/saved-plan.ts'

/** Which catalog owns a record of a service, by the record's `ownKey`: the one that applied it last. */
export type Owners = Readonly<Record<string, string>>

/** What identifies a record across runs: its kind and name, or that of a face's template and the viewers it is for. */
export const ownKey = (kind: KindName, document: Section): string =>
  kindOf(kind).key === 'name'
    ? `${kind} ${kindOf(kind).nameOf(document)}`
    : [kind, document.template, ...identityOf(document)].join(' ')

/** The owners of the records of the service that a run uses, as this machine has recorded them. */
export async function ownersOf({ dirs, target }: Pick<Context, 'dirs' | 'target'>): Promise<Store<Owners>> {
  const name = targetFile(targetName(await target()))
  return fileStore<Owners>(
    join(dirs.data, 'owners'),
    name,
    {},
    async (value) => (await import('../service/saved.ts')).Owners.parse(value),
    { afterDeletion: 'apply each catalog again', variable: 'VATOM_DATA_DIR' },
  )
}

/** The names of the catalogs that inputs belong to: as their vatom.yaml says, else the folder they are in. */
export async function catalogsOf(inputs: readonly string[], cwd: string): Promise<string[]> {
  const folders = inputs.filter((input) => input !== '-').map((input) => folderOf(resolve(cwd, input)))
  const projectOf = projectFinder(cwd)
  const names = await Promise.all([...new Set(folders)].map(async (one) => catalogName(one, await projectOf(one))))
  return [...new Set(names)]
}

function catalogName(folder: string, project: Project | undefined): string {
  const [problem] = project?.problems ?? []
  if (problem) throw usage(`${problem.file} is not valid: ${problem.message}`, `check it: vatom validate ${folder}`)
  return project?.catalog ?? folder
}

/** The folder of an input: itself, or the nearest existing one above a file or pattern. */
function folderOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() ? realpathSync(path) : folderOf(dirname(path))
}
