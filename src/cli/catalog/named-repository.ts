import { isAbsolute } from 'node:path'
import { type Unplaced, unplacedIn } from '../../documents/load/git-repository.ts'
import { shellWord } from '../io/text.ts'
import type { PruneOptions } from './options.ts'
import { refuseUnread } from './unread.ts'

/**
 * Throws a usage error for a run that deletes where `GIT_DIR` names a repository of which some folders may be a part, as in a
 * hook, and it is not known what else is in that.
 */
export function checkNamedRepository(folders: readonly string[], options: PruneOptions): void {
  const [unplaced] = folders.flatMap((folder) => unplacedIn(folder) ?? [])
  if (unplaced === undefined) return
  const { is, remedy } = texts[unplaced.reason](unplaced)
  refuseUnread(`${unplaced.git}, which GIT_DIR names,`, ` ${is}`, `${remedy}; ${ifOfNone}`, options)
}

type Text = (unplaced: Unplaced) => { readonly is: string; readonly remedy: string }

const texts: Readonly<Record<Unplaced['reason'], Text>> = {
  unreadable: ({ given }) => ({
    is: 'is no repository that can be read',
    remedy: isAbsolute(given)
      ? 'correct GIT_DIR, or let this user read that folder'
      : `GIT_DIR=${shellWord(given)} is relative to the current folder; before a script changes that: export GIT_DIR="$(git rev-parse --absolute-git-dir)"`,
  }),
  treeless: ({ git }) => ({
    is: 'is a bare repository, and GIT_WORK_TREE does not name the folder of its files',
    remedy: `name both: export GIT_DIR=${shellWord(git)} GIT_WORK_TREE=FOLDER`,
  }),
}

const ifOfNone = 'if the catalog is not of that repository: unset GIT_DIR'
