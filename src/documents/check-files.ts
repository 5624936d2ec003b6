import type { Facts } from '../contract/rule.ts'
import type { Kind } from '../contract/values.ts'
import { catalogOf, type Names } from './catalog.ts'
import { checkedDocument, duplicateProblems } from './checked.ts'
import { ownCandidates, type ReadFile } from './file.ts'
import { type Finding, finding, problemOf } from './finding.ts'
import { heeding } from './ignore.ts'
import type { LoadedDocument, Problem } from './types.ts'

/** A file's documents of the noun, and what is wrong with the file as a whole. */
export interface CheckedFile {
  readonly file: string
  readonly text: string
  readonly documents: readonly LoadedDocument[]
  readonly problems: readonly Problem[]
  readonly others: number
}
export interface CheckOptions {
  readonly noun: Kind
  readonly publisher?: string | undefined
  /** Names of documents at hand that are not among the files. */
  readonly elsewhere?: Names | undefined
}

/** Files checked one by one and against each other; those that `aside` names only lend their templates. */
export function checkFiles(
  files: readonly ReadFile[],
  { noun, publisher, elsewhere }: CheckOptions,
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
      documents: ownCandidates(file, noun).map((one) => checkedDocument(one, facts, related)),
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
    problems: [...file.problems, ...noneProblems(file, noun)],
    others: file.candidates.length - documents.length,
  }))
}

const withProblem = (document: LoadedDocument, problem: Problem | undefined): LoadedDocument =>
  problem ? { ...document, valid: false, problems: [...document.problems, problem] } : document

/** A file that was named outright and holds none of the noun. */
function noneProblems(file: ReadFile, noun: Kind): Problem[] {
  const { input, source, candidates, problems } = file
  if (!input.named || problems.length > 0 || ownCandidates(file, noun).length > 0) return []
  return [problemOf(source, holdsNone(noun, candidates.length))]
}

const holdsNone = (noun: string, others: number): Finding =>
  finding('no-document', others ? `holds no ${noun}, only other documents` : `holds no ${noun}`, {
    hint: `a ${noun} is told by its keys, or said outright by kind: ${noun}`,
  })
