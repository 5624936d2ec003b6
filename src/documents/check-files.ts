import type { Facts } from '../contract/rule.ts'
import type { Kind } from '../contract/values.ts'
import { checkedDocument, duplicateProblems } from './checked.ts'
import type { Candidate, ReadFile } from './file.ts'
import { type Finding, finding, problemOf } from './finding.ts'
import { templatesOf } from './related.ts'
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
}

/** Files checked one by one and against each other; those that `aside` names only lend their templates. */
export function checkFiles(
  files: readonly ReadFile[],
  { noun, publisher }: CheckOptions,
  aside: (file: ReadFile) => boolean = () => false,
): CheckedFile[] {
  const facts: Facts = publisher === undefined ? {} : { publisher }
  const templates = templatesOf(
    files.flatMap(({ candidates }) => candidates),
    facts,
  )
  const checked = files
    .filter((file) => !aside(file))
    .map((file) => ({
      file,
      documents: ownCandidates(file, noun).map((one) => checkedDocument(one, facts, templates)),
    }))
  const duplicates = duplicateProblems(checked.flatMap(({ documents }) => documents))
  return checked.map(({ file, documents }) => ({
    file: file.source.file,
    text: file.source.text,
    documents: documents.map((document) => withProblem(document, duplicates.get(document))),
    problems: [...file.problems, ...noneProblems(file, noun)],
    others: file.candidates.length - documents.length,
  }))
}

/** The documents of a noun; one that cannot be read may be any kind's, and counts. */
export const ownCandidates = ({ candidates }: ReadFile, noun: Kind): Candidate[] =>
  candidates.filter((one) => one.kind === noun || !one.raw.sound)

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
