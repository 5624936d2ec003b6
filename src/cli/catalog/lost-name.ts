import { projectFileName } from '../../contract/values.ts'
import { shellWord } from '../io/text.ts'

/** What to do about a folder without a name that seems to be a catalog which had one: its `vatom.yaml` may be lost. */
export const lostNameHint = (folder: string, name: string): string =>
  `if this is the catalog ${name} and its ${projectFileName} was lost, restore that: git -C ${shellWord(folder)} restore ${projectFileName}; or write "catalog: ${name}" into a new one there`
