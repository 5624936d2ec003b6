import type { CheckedDocument, Problem } from './loaded.ts'

export const isError = ({ severity }: Pick<Problem, 'severity'>): boolean => severity === 'error'

/** Whether a document or file with these problems has no error. */
export const isValid = (problems: readonly Pick<Problem, 'severity'>[]): boolean => !problems.some(isError)

/** What is wrong in a file: with its documents, and with the file as a whole. */
export interface FileProblems {
  readonly file: string
  readonly text: string
  readonly documents: readonly CheckedDocument[]
  readonly problems: readonly Problem[]
}

/** Whether anything is wrong in a file or its documents, be it only a warning. */
export const hasProblems = ({ problems, documents }: FileProblems): boolean =>
  problems.length > 0 || documents.some((document) => document.problems.length > 0)

/** Every problem of a run: first those of the inputs, then file by file and place by place. */
export const allProblems = (inputs: readonly Problem[], files: readonly FileProblems[]): Problem[] => [
  ...inputs,
  ...files.flatMap(({ problems, documents }) =>
    [...problems, ...documents.flatMap((document) => document.problems)].sort(byPlace),
  ),
]

const byPlace = (a: Problem, b: Problem) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)

/** Texts of the files that have a problem. */
export function sourcesOf(files: readonly FileProblems[], problems: readonly Problem[]): Map<string, string> {
  const wrong = new Set(problems.map(({ file }) => file))
  return new Map(files.filter(({ file }) => wrong.has(file)).map(({ file, text }) => [file, text]))
}
