import type { Facts } from '../contract/rules.ts'
import type { Kind } from '../contract/values.ts'
import { checkedDocument, duplicateProblems } from './checked.ts'
import { type ReadFile, readFile } from './file.ts'
import { type Finding, finding, problemOf } from './finding.ts'
import { findInputs } from './inputs.ts'
import { readInput } from './read.ts'
import { templatesOf } from './related.ts'
import { inputOrder } from './sort.ts'
import type { Loaded, LoadedDocument, Problem } from './types.ts'

export interface LoadOptions {
  readonly cwd: string
  readonly readStdin: () => Promise<Uint8Array>
  /** The kind of document that is wanted; others are left alone. */
  readonly noun: Kind
  /** The publisher's domain name; without it `$publisher` stays and foreign names are not noticed. */
  readonly publisher?: string | undefined
}

/**
 * The documents of a kind in files, folders, patterns and standard input (`-`), checked as far as they go without the
 * service: everything that is wrong with all of them, at its place. Never throws for anything a file holds.
 */
export async function loadDocuments(inputs: readonly string[], options: LoadOptions): Promise<Loaded> {
  const found = await findInputs(inputs, options.cwd)
  const files: ReadFile[] = []
  for (const input of found.files) files.push(readFile(input, await readInput(input, options.readStdin), options))
  const loaded = checkFiles(files, options)
  return { ...loaded, problems: [...found.problems, ...loaded.problems] }
}

/** Files that were read, checked one by one and against each other. */
export function checkFiles(files: readonly ReadFile[], options: Pick<LoadOptions, 'noun' | 'publisher'>): Loaded {
  const facts: Facts = options.publisher === undefined ? {} : { publisher: options.publisher }
  const candidates = files.flatMap((file) => file.candidates)
  const templates = templatesOf(candidates, facts)
  const own = candidates.filter((one) => one.kind === options.noun || !one.raw.sound)
  const checked = own.map((one) => checkedDocument(one, facts, templates))
  const documents = withDuplicates(checked)
  const problems = [
    ...files.flatMap((file) => [...file.problems, ...noneProblems(file, options.noun)]),
    ...documents.flatMap((document) => document.problems),
  ].sort(inputOrder(files.map(({ input }) => input.file)))
  return { documents, problems, others: candidates.length - own.length, sources: sourcesOf(files, problems) }
}

function withDuplicates(documents: readonly LoadedDocument[]): LoadedDocument[] {
  const duplicates = duplicateProblems(documents)
  return documents.map((document) => {
    const found = duplicates.get(document)
    return found ? { ...document, valid: false, problems: [...document.problems, found] } : document
  })
}

/** A file that was named outright and holds none of the noun. */
function noneProblems({ input, source, candidates, problems }: ReadFile, noun: Kind): Problem[] {
  const silent = !input.named || problems.length > 0 || candidates.some((one) => one.kind === noun || !one.raw.sound)
  return silent ? [] : [problemOf(source, holdsNone(noun, candidates.length))]
}

function sourcesOf(files: readonly ReadFile[], problems: readonly Problem[]): Map<string, string> {
  const wrong = new Set(problems.map(({ file }) => file))
  return new Map(files.filter(({ source }) => wrong.has(source.file)).map(({ source }) => [source.file, source.text]))
}

const holdsNone = (noun: string, others: number): Finding =>
  finding('no-document', others ? `holds no ${noun}, only other documents` : `holds no ${noun}`, {
    hint: `a ${noun} is told by its keys, or said outright by kind: ${noun}`,
  })
