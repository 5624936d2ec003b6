import { shellWord } from '../../io/text.ts'
import type { PullOptions } from './pull.ts'

/** What says which documents are written, and how, as it was given: without it, the same command would write others. */
export const givenOptions = ({ template = [], allCatalogs, allVersions, keepPublisher }: PullOptions): string[] => [
  ...template.flatMap((name) => ['--template', shellWord(name)]),
  ...(allCatalogs ? ['--all-catalogs'] : []),
  ...(allVersions ? ['--all-versions'] : []),
  ...(keepPublisher ? ['--keep-publisher'] : []),
]

/** The command of a pull that may be refused or leave something out, to which hints add options. */
export const pullCommand = (dir: string, options: PullOptions): string =>
  ['vatom pull', shellWord(dir), ...givenOptions(options)].join(' ')
