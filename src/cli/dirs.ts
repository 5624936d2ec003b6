import { statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { defaults } from '../contract/defaults.ts'
import { hasJwt } from '../contract/tokens.ts'
import { isGone } from '../file-system.ts'
import { usage } from './failure/failure.ts'
import type { Host } from './host.ts'

/**
 * Folders of the tool: VATOM_* where set, else the XDG base directories; `~` at the beginning is the home folder. Their paths
 * are absolute: a service outlives the folder it was started in. A relative base directory counts as not set, as its
 * specification says.
 */
export interface Dirs {
  readonly config: string
  readonly data: string
  readonly cache: string
}

/** Throws a usage error for a variable that is empty, and for a token or a name of a variable in one: each would be a folder. */
export function dirsOf({ env, home, cwd }: Pick<Host, 'env' | 'home' | 'cwd'>): Dirs {
  const { VATOM_CONFIG_DIR, VATOM_DATA_DIR, VATOM_CACHE_DIR } = env
  for (const [name, value] of Object.entries({ VATOM_CONFIG_DIR, VATOM_DATA_DIR, VATOM_CACHE_DIR })) {
    if (value === '') throw usage(`${name} is set, but empty`, 'name a folder there, or unset it')
    if (value && hasJwt(value)) throw usage(`${name} must be a folder, not ${value}`)
    if (value?.startsWith('$'))
      throw usage(
        `${name} begins with $, as the name of a variable whose value was not put in its place: ${value}`,
        'name the folder by its path; for one that begins with $: ./$NAME',
      )
  }
  const folder = (chosen: string | undefined, base: string | undefined, ...standard: string[]) =>
    resolve(cwd, withHome(chosen, home) ?? join(absolute(base, home) ?? join(home, ...standard), 'vatom'))
  return {
    config: folder(VATOM_CONFIG_DIR, env.XDG_CONFIG_HOME, '.config'),
    data: folder(VATOM_DATA_DIR, env.XDG_DATA_HOME, '.local', 'share'),
    cache: folder(VATOM_CACHE_DIR, env.XDG_CACHE_HOME, '.cache'),
  }
}

/** The variables of XDG base directories that are not used, because they are relative: each folder would have its own data. */
export function relativeBases({ env, home }: Pick<Host, 'env' | 'home'>): [name: string, value: string][] {
  const { XDG_CONFIG_HOME = '', XDG_DATA_HOME = '', XDG_CACHE_HOME = '' } = env
  const given = Object.entries({ XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME })
  return given.filter(([, value]) => value !== '' && absolute(value, home) === undefined)
}

const absolute = (base: string | undefined, home: string): string | undefined => {
  const folder = withHome(base, home)
  return folder && isAbsolute(folder) ? folder : undefined
}

/** What shells make of a `~`: in a file of variables, nobody does. */
const withHome = (folder: string | undefined, home: string): string | undefined =>
  folder?.replace(/^~(?=$|[/\\])/, () => home)

/** The folder of the copies of the `local` context's state. */
export const snapshotFolder = (dirs: Dirs): string => join(dirs.data, 'snapshots')

/** The folder of the ledgers of `apply`. */
export const ledgerFolder = ({ data }: Pick<Dirs, 'data'>): string => join(data, 'applied')

/** The folder of the owners of records, as this machine has recorded them. */
export const ownersFolder = ({ data }: Pick<Dirs, 'data'>): string => join(data, 'owners')

/** The database of the `local` context. */
export const localDatabase = (dirs: Dirs): string => join(dirs.data, 'local.db')

/** Whether there is something at its path, also what no database can be, as a link to itself. */
export function isLocalThere(dirs: Dirs): boolean {
  try {
    statSync(localDatabase(dirs))
    return true
  } catch (error) {
    return !isGone(error)
  }
}

/** How the service of the `local` context is opened: commands use it as the default publisher. */
export const localServiceOptions = (dirs: Dirs) => ({
  ...{ db: localDatabase(dirs), isLocal: true },
  publishers: [defaults.publisher],
})
