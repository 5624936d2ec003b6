import { join } from 'node:path'
import { usage } from './failure/failure.ts'
import { hasJwt } from './failure/tokens.ts'
import type { Host } from './host.ts'

/** Folders of the tool: VATOM_* where set, else the XDG base directories; `~` at the beginning is the home folder. */
export interface Dirs {
  readonly config: string
  readonly data: string
  readonly cache: string
}

/** Throws a usage error for a token in a variable: it would be the name of a folder. */
export function dirsOf({ env, home }: Pick<Host, 'env' | 'home'>): Dirs {
  const { VATOM_CONFIG_DIR, VATOM_DATA_DIR, VATOM_CACHE_DIR } = env
  for (const [name, value = ''] of Object.entries({ VATOM_CONFIG_DIR, VATOM_DATA_DIR, VATOM_CACHE_DIR }))
    if (hasJwt(value)) throw usage(`${name} must be a folder, not ${value}`)
  // What shells make of it: in a file of variables, nobody does.
  const given = (folder: string | undefined) => folder?.replace(/^~(?=$|[/\\])/, () => home)
  return {
    config: given(env.VATOM_CONFIG_DIR) || join(given(env.XDG_CONFIG_HOME) || join(home, '.config'), 'vatom'),
    data: given(env.VATOM_DATA_DIR) || join(given(env.XDG_DATA_HOME) || join(home, '.local', 'share'), 'vatom'),
    cache: given(env.VATOM_CACHE_DIR) || join(given(env.XDG_CACHE_HOME) || join(home, '.cache'), 'vatom'),
  }
}

/** The folder of the copies of the `local` context's state. */
export const snapshotFolder = (dirs: Dirs): string => join(dirs.data, 'snapshots')

/** The database of the `local` context. */
export const localDatabase = (dirs: Dirs): string => join(dirs.data, 'local.db')
