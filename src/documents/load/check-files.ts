import type { Kind } from '../../contract/kinds/kind.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import type { Facts } from '../../contract/rules/rule.ts'
import { plural } from '../../contract/schema/wording.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { withoutIgnored } from '../edit/ignore.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import { checkedDocument, duplicateProblems } from './checked-document.ts'
import { interruptible } from './interruptible.ts'
import type { LoadedDocument, Problem } from './loaded.ts'
import type { FileProblems } from './problems.ts'
import type { ReadOptions } from './read.ts'
import { ownCandidates, type ReadFile } from './read-file.ts'
import { catalogOf, type Names } from './related.ts'

/** The documents of a file that were checked, and the problems of the file as a whole. */
export interface CheckedFile extends FileProblems {
  readonly documents: readonly LoadedDocument[]
  readonly others: number
}
export interface CheckOptions extends Pick<ReadOptions, 'signal'> {
  /** The wanted kind of document; others are not checked. Without it all kinds are checked. */
  readonly noun?: KindName | undefined
  /** The verb of the same command for another kind of document, for hints. */
  readonly verbOf?: ((kind: Kind) => string) | undefined
  /** The publisher's domain name; without it `$publisher` stays, and names of other publishers are not reported. */
  readonly publisher?: string | undefined
  /** For documents for a service on this machine, the ports at which its assets answer; none if that is not known. */
  readonly localPorts?: readonly string[] | undefined
  /** Names of existing documents that are not in the files. */
  readonly elsewhere?: Names | undefined
  /** Names of the rules of whole catalogs that are checked, because all their files are there. */
  readonly ifWhole?: readonly string[] | undefined
  /** Whether a project file says that the files are a catalog. */
  readonly isDescribed?: boolean | undefined
}

/** Checks files one by one and against each other; the others are only checked against those for which `aside` is true. */
export async function checkFiles(
  files: readonly ReadFile[],
  { noun, publisher, localPorts, elsewhere, verbOf, ifWhole = [], isDescribed = false, signal }: CheckOptions,
  aside: (file: ReadFile) => boolean = () => false,
): Promise<CheckedFile[]> {
  const facts: Facts = { ...(publisher !== undefined && { publisher }), localPorts }
  const related = catalogOf(
    files.flatMap(({ candidates }) => candidates),
    facts,
    { elsewhere, ifWhole, isDescribed },
  )
  const own = files.filter((file) => !aside(file)).map((file) => ({ file, candidates: ownCandidates(file, noun) }))
  const duplicates = duplicateProblems(own.flatMap(({ candidates }) => candidates))
  const pause = interruptible({ signal })
  const checked: CheckedFile[] = []
  for (const { file, candidates } of own) {
    const documents: LoadedDocument[] = []
    for (const one of candidates) {
      await pause()
      documents.push(checkedDocument(one, related, duplicates.get(one)))
    }
    checked.push({
      file: file.source.file,
      text: file.source.shown,
      documents: withoutIgnored(file, documents, { noun, related }),
      problems: [...file.problems, ...(noun === undefined ? [] : noneProblems(file, noun, verbOf))],
      others: file.candidates.length - candidates.length,
    })
  }
  return checked
}

/** The problem of a file that the user named and that contains no document of the wanted kind. */
function noneProblems(file: ReadFile, noun: KindName, verbOf: CheckOptions['verbOf']): Problem[] {
  const { input, source, candidates, problems } = file
  if (!input.named || problems.length > 0 || ownCandidates(file, noun).length > 0) return []
  return [problemOf(source, candidates.length > 0 ? holdsOthers(file, noun, verbOf) : holdsNone(noun))]
}

const holdsNone = (noun: KindName): Finding =>
  finding('no-document', `holds no ${noun}`, {
    hint: `${kindOf(noun).one} is recognized by its keys, or by kind: ${noun}`,
  })

/** Says which documents a file contains, and which commands take them. */
function holdsOthers({ input, candidates }: ReadFile, noun: KindName, verbOf: CheckOptions['verbOf']): Finding {
  const file = input.path === undefined ? '-' : input.file
  const held = kinds.flatMap((kind) => {
    const count = candidates.filter((one) => one.kind === kind).length
    const what = plural(count, kind)
    return count === 0 ? [] : [verbOf ? `${what}: vatom ${kind} ${verbOf(kindOf(kind))} ${file}` : what]
  })
  return finding('no-document', `holds no ${noun}, only other documents`, { hint: `it holds ${held.join('; ')}` })
}
