import type { Facts } from '../../contract/rules/rule.ts'
import { type KindName, kinds } from '../../contract/values.ts'
import { heeding } from '../edit/ignore.ts'
import { type Finding, finding, problemOf } from '../finding.ts'
import { checkedDocument, duplicateProblems } from './checked-document.ts'
import type { LoadedDocument, Problem } from './loaded.ts'
import { ownCandidates, type ReadFile } from './read-file.ts'
import { catalogOf, type Names } from './related.ts'

/** A file's documents of the noun, or all of them, and what is wrong with the file as a whole. */
export interface CheckedFile {
  readonly file: string
  readonly text: string
  readonly documents: readonly LoadedDocument[]
  readonly problems: readonly Problem[]
  readonly others: number
}
export interface CheckOptions {
  /** The kind of document that is wanted; all are without one. */
  readonly noun?: KindName | undefined
  /** The command of each kind that does with its documents what is done with those of the noun. */
  readonly verbs?: Readonly<Record<KindName, string>> | undefined
  readonly publisher?: string | undefined
  /** Names of documents at hand that are not among the files. */
  readonly elsewhere?: Names | undefined
}

/** Files checked one by one and against each other; those that `aside` names only lend their templates. */
export function checkFiles(
  files: readonly ReadFile[],
  { noun, publisher, elsewhere, verbs }: CheckOptions,
  aside: (file: ReadFile) => boolean = () => false,
): CheckedFile[] {
  const facts: Facts = publisher === undefined ? {} : { publisher }
  const related = catalogOf(
    files.flatMap(({ candidates }) => candidates),
    facts,
    elsewhere,
  )
  const checked = files
    .filter((file) => !aside(file))
    .map((file) => ({
      file,
      documents: ownCandidates(file, noun).map((one) => checkedDocument(one, related)),
    }))
  const duplicates = duplicateProblems(checked.flatMap(({ documents }) => documents))
  return checked.map(({ file, documents }) => ({
    file: file.source.file,
    text: file.source.text,
    documents: heeding(
      file,
      documents.map((document) => withProblem(document, duplicates.get(document))),
      { noun, related },
    ),
    problems: [...file.problems, ...(noun === undefined ? [] : noneProblems(file, noun, verbs))],
    others: file.candidates.length - documents.length,
  }))
}

const withProblem = (document: LoadedDocument, problem: Problem | undefined): LoadedDocument =>
  problem ? { ...document, valid: false, problems: [...document.problems, problem] } : document

/** A file that was named outright and holds none of the noun. */
function noneProblems(file: ReadFile, noun: KindName, verbs: CheckOptions['verbs']): Problem[] {
  const { input, source, candidates, problems } = file
  if (!input.named || problems.length > 0 || ownCandidates(file, noun).length > 0) return []
  return [problemOf(source, candidates.length > 0 ? holdsOthers(file, noun, verbs) : holdsNone(noun))]
}

const holdsNone = (noun: KindName): Finding =>
  finding('no-document', `holds no ${noun}`, {
    hint: `${noun === 'action' ? 'an' : 'a'} ${noun} is told by its keys, or said outright by kind: ${noun}`,
  })

/** Says what a file holds, and the command that takes it. */
function holdsOthers({ input, candidates }: ReadFile, noun: KindName, verbs: CheckOptions['verbs']): Finding {
  const file = input.path === undefined ? '-' : input.file
  const held = kinds.flatMap((kind) => {
    const count = candidates.filter((one) => one.kind === kind).length
    const what = `${count} ${kind}${count === 1 ? '' : 's'}`
    return count === 0 ? [] : [verbs ? `${what}: vatom ${kind} ${verbs[kind]} ${file}` : what]
  })
  return finding('no-document', `holds no ${noun}, only other documents`, { hint: `it holds ${held.join('; ')}` })
}
