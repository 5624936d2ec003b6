import { kindOf } from '../../contract/kinds/kinds.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import type { KindName } from '../../contract/values.ts'
import type { CheckedFile } from '../load/check-files.ts'
import type { InputFile } from '../load/inputs.ts'
import type { LoadOptions } from '../load/load.ts'
import { readInput } from '../load/read.ts'
import type { ReadFile } from '../load/read-file.ts'
import { combined, type FileFacts, openValidated, type Validated, type ValidatedOptions } from './validation-cache.ts'

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
  /** Name of the content; undefined where nothing is cached. */
  readonly key: string | undefined
  readonly facts: FileFacts
  readonly read: ReadFile | undefined
}

/** Checks files, those excepted that are known to be without problems as they stand in this run. */
export async function checkIncrementally(inputs: readonly InputFile[], options: Options): Promise<RunFile[]> {
  const known = openValidated(options)
  const entries: Entry[] = []
  for (const input of inputs) entries.push(await entryOf(input, options, known))
  const company = companyOf(entries)
  const isStale = staleness(entries, company, known, options.noun)
  const stale = new Set(entries.filter(isStale))
  const checked = await checkStale(entries, stale, company, options)
  const files = entries.map((entry) => ({ ...entry, checked: checked.get(entry) }))
  if (known) remember(files, (index) => markOf(entries[index], company), known)
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

/** What of the rest of a run the verdict on a file depends on. */
interface Company {
  /** Files with documents of the templates that an entry's documents are, or are made for, in order: it is one. */
  readonly kin: (entry: Entry) => readonly Entry[]
  /** What the entry's documents name that is not there, with all names it may be meant for. */
  readonly absent: (entry: Entry) => readonly string[]
  /** Names of all templates and variations. */
  readonly names: { readonly template: readonly string[]; readonly variation: readonly string[] }
}

function companyOf(entries: readonly Entry[]): Company {
  const members = entries.flatMap((entry) => entry.facts.families.map((name) => ({ name, entry })))
  const families = groupBy(members, ({ name }) => name)
  const positions = new Map(entries.map((entry, index) => [entry, index]))
  const template = nameSet(entries, 'templates')
  const variation = nameSet(entries, 'variations')
  const missing = (names: readonly string[], all: NameSet) => {
    const found = names.filter((name) => !all.has(name))
    return found.length === 0 ? [] : [...found, all.mark()]
  }
  return {
    kin: ({ facts }) => {
      const found = new Set(facts.concerns.flatMap((name) => families.get(name)?.map(({ entry }) => entry) ?? []))
      return [...found].sort((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0))
    },
    absent: ({ facts }) => [...missing(facts.concerns, template), ...missing(facts.children, variation)],
    names: { template: [...template.all], variation: [...variation.all] },
  }
}

interface NameSet {
  readonly all: ReadonlySet<string>
  readonly has: (name: string) => boolean
  /** The name of all of them together. */
  readonly mark: () => string
}

function nameSet(entries: readonly Entry[], list: 'templates' | 'variations'): NameSet {
  const all = new Set(entries.flatMap(({ facts }) => facts[list]))
  let mark: string | undefined
  return {
    all,
    has: (name) => all.has(name),
    mark: () => {
      mark ??= combined([...all].sort())
      return mark
    },
  }
}

/** The name of a file's content together with what else the verdict on it depends on, and its place among that. */
function markOf(entry: Entry | undefined, { kin, absent }: Company): string | undefined {
  if (entry?.key === undefined) return undefined
  const family = kin(entry)
  const keys = family.map(({ key }) => key ?? '')
  return combined([entry.key, String(family.indexOf(entry)), ...keys, '', ...absent(entry)])
}

/** Whether a file must be checked: it is not known to be valid, or another holds a document of the same name. */
function staleness(entries: readonly Entry[], company: Company, known: Validated | undefined, noun: KindName) {
  const shared = kindOf(noun).key === 'name' ? sharedNames(entries) : new Set<string>()
  return (entry: Entry): boolean => {
    const mark = markOf(entry, company)
    if (entry.read || mark === undefined || !known?.isClean(mark)) return true
    return entry.facts.names.some((name) => shared.has(name))
  }
}

function sharedNames(entries: readonly Entry[]): Set<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const name of entries.flatMap(({ facts }) => facts.names)) (seen.has(name) ? shared : seen).add(name)
  return shared
}

/** Checks the stale files; files that theirs are held against are parsed too, and only lend them. */
async function checkStale(
  entries: readonly Entry[],
  stale: ReadonlySet<Entry>,
  { kin, names }: Company,
  options: Options,
): Promise<Map<Entry, CheckedFile | undefined>> {
  if (stale.size === 0) return new Map()
  const { checkFiles, readFile } = await import('./parsed-files.ts')
  const wanted = new Set([...stale, ...[...stale].flatMap(kin)])
  const parsed = entries
    .filter((entry) => wanted.has(entry))
    .map((entry) => ({ entry, read: entry.read ?? readFile(entry.input, entry.bytes, options) }))
  const aside = new Set(parsed.filter(({ entry }) => !stale.has(entry)).map(({ read }) => read))
  const checked = checkFiles(
    parsed.map(({ read }) => read),
    { ...options, elsewhere: names },
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
    known.addClean(mark)
  }
  known.save()
}

const hasProblems = ({ problems, documents }: CheckedFile) =>
  problems.length > 0 || documents.some((document) => document.problems.length > 0)
