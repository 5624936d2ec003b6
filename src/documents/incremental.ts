import type { Kind } from '../contract/values.ts'
import type { CheckedFile } from './check-files.ts'
import type { ReadFile } from './file.ts'
import type { InputFile } from './inputs.ts'
import type { LoadOptions } from './load.ts'
import { readInput } from './read.ts'
import { combined, type FileFacts, openValidated, type Validated, type ValidatedOptions } from './validated.ts'

type Options = LoadOptions & ValidatedOptions

/** A file of a run, with its problems where it had to be checked; otherwise it is known to have none. */
export interface RunFile {
  readonly input: InputFile
  readonly facts: FileFacts
  readonly checked: CheckedFile | undefined
}

interface Entry {
  readonly input: InputFile
  readonly bytes: Uint8Array | string
  /** Name of the content; undefined where nothing is kept. */
  readonly key: string | undefined
  readonly facts: FileFacts
  readonly read: ReadFile | undefined
}

/** Checks files, those excepted that are known to be without problems as they stand in this run. */
export async function checkIncrementally(inputs: readonly InputFile[], options: Options): Promise<RunFile[]> {
  const known = openValidated(options)
  const entries: Entry[] = []
  for (const input of inputs) entries.push(await entryOf(input, options, known))
  const holders = holdersOf(entries)
  const isStale = staleness(entries, holders, known, options.noun)
  const stale = new Set(entries.filter(isStale))
  const checked = await checkStale(entries, stale, holders, options)
  const files = entries.map((entry) => ({ ...entry, checked: checked.get(entry) }))
  if (known) remember(files, (index) => markOf(entries[index], holders), known)
  return files
}

async function entryOf(input: InputFile, options: Options, known: Validated | undefined): Promise<Entry> {
  const bytes = await readInput(input, options)
  const key = typeof bytes === 'string' ? undefined : known?.keyOf(input.file, bytes)
  const facts = key === undefined ? undefined : known?.get(key)
  if (facts && (facts.names.length > 0 || !input.named)) return { input, bytes, key, facts, read: undefined }
  const { readFile, factsOf } = await import('./parsed-files.ts')
  const read = readFile(input, bytes, options)
  return { input, bytes, key, read, facts: factsOf(read, options.noun) }
}

/** The files that hold the templates an entry's documents are made for, undefined for a template that is not there. */
type Holders = (entry: Entry) => readonly (Entry | undefined)[]
function holdersOf(entries: readonly Entry[]): Holders {
  const byTemplate = new Map<string, Entry>()
  for (const entry of entries)
    for (const name of entry.facts.templates) if (!byTemplate.has(name)) byTemplate.set(name, entry)
  return ({ facts }) => facts.references.map((name) => byTemplate.get(name))
}

/** The name of a file's content together with that of its templates: what the verdict on it depends on. */
function markOf(entry: Entry | undefined, holders: Holders): string | undefined {
  if (entry?.key === undefined) return undefined
  const found = holders(entry)
  return found.length ? combined([entry.key, ...found.map((holder) => holder?.key ?? '')]) : entry.key
}

/** Whether a file must be checked: it is not known to be valid, or another holds a document of the same name. */
function staleness(entries: readonly Entry[], holders: Holders, known: Validated | undefined, noun: Kind) {
  const shared = noun === 'face' ? new Set<string>() : sharedNames(entries)
  return (entry: Entry): boolean => {
    const mark = markOf(entry, holders)
    if (entry.read || mark === undefined || !known?.get(mark)) return true
    return entry.facts.names.some((name) => shared.has(name))
  }
}

function sharedNames(entries: readonly Entry[]): Set<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const name of entries.flatMap(({ facts }) => facts.names)) (seen.has(name) ? shared : seen).add(name)
  return shared
}

/** Checks the stale files; files of their templates are parsed too, and only lend them. */
async function checkStale(
  entries: readonly Entry[],
  stale: ReadonlySet<Entry>,
  holders: Holders,
  options: Options,
): Promise<Map<Entry, CheckedFile | undefined>> {
  if (stale.size === 0) return new Map()
  const { checkFiles, readFile } = await import('./parsed-files.ts')
  const wanted = new Set([...stale, ...[...stale].flatMap(holders)])
  const parsed = entries
    .filter((entry) => wanted.has(entry))
    .map((entry) => ({ entry, read: entry.read ?? readFile(entry.input, entry.bytes, options) }))
  const aside = new Set(parsed.filter(({ entry }) => !stale.has(entry)).map(({ read }) => read))
  const checked = checkFiles(
    parsed.map(({ read }) => read),
    options,
    (file) => aside.has(file),
  )
  const order = parsed.filter(({ entry }) => stale.has(entry))
  return new Map(order.map(({ entry }, index) => [entry, checked[index]]))
}

/** Keeps what was found to be without any problem. */
function remember(
  files: readonly (Entry & RunFile)[],
  markAt: (index: number) => string | undefined,
  known: Validated,
): void {
  for (const [index, { key, facts, checked }] of files.entries()) {
    const mark = markAt(index)
    if (key === undefined || mark === undefined || !checked || hasProblems(checked)) continue
    known.add(key, facts)
    if (mark !== key) known.add(mark, facts)
  }
  known.save()
}

const hasProblems = ({ problems, documents }: CheckedFile) =>
  problems.length > 0 || documents.some((document) => document.problems.length > 0)
