import type { ReadFile } from '../../documents/load/read-file.ts'
import { usage } from '../failure/failure.ts'
import { shellWord } from '../io/text.ts'
import type { PruneOptions } from './options.ts'

/** Whether a file may describe what nobody can tell: none of its documents could be read. */
export const isUnread = ({ candidates, problems }: Pick<ReadFile, 'candidates' | 'problems'>): boolean =>
  candidates.length === 0 && problems.length > 0

/** Whether a document of a file could not be read to its end, as where a conflict of git was left in it. */
export const isDamaged = ({ candidates }: Pick<ReadFile, 'candidates'>): boolean =>
  candidates.some(({ raw }) => !raw.sound)

/** Throws a usage error for a run that deletes, because it may delete what is described where it cannot read. */
export function refuseUnread(what: string, is: string, remedy: string, options: PruneOptions): void {
  if (options.prune || options.pruneUnowned)
    throw usage(`${what}${is}: ${flagOf(options)} may delete what it describes`, remedy)
}

/** What to do about a file that cannot be read. */
export const correctFile = (file: string): string =>
  `correct the file, or remove it; what is wrong with it: vatom validate ${shellWord(file)}`

/** The flag by which a run deletes. */
export const flagOf = ({ prune }: PruneOptions): string => (prune ? '--prune' : '--prune-unowned')
