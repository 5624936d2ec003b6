import { projectFileName } from '../../contract/values.ts'
import { repositoryRoot } from '../../documents/load/git-repository.ts'
import { shellWord } from '../io/text.ts'

/** What to do about a folder without a name that seems to be a catalog which had one: its `vatom.yaml` may be lost. */
export function lostNameHint(folder: string, name: string): string {
  const isInRepository = repositoryRoot(folder) !== undefined
  const restored = `restore that: git -C ${shellWord(folder)} restore ${projectFileName}; or `
  return `if this is the catalog ${name} and its ${projectFileName} was lost, ${isInRepository ? restored : ''}write "catalog: ${name}" into a new one there`
}
