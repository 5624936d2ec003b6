import { kindOf } from '../../contract/kinds/kinds.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { type InputFile, isHidden } from '../load/inputs.ts'
import type { LoadOptions } from '../load/load.ts'
import { ifRead, type Ours, readOurs } from '../load/ours.ts'
import { type FileProblems, hasProblems, isValid } from '../load/problems.ts'
import type { ReadFile } from '../load/read-file.ts'
import { decode } from '../yaml/decode.ts'
import {
  type Company,
  combined,
  type FileFacts,
  openValidated,
  type Validated,
  type ValidatedOptions,
} from './validation-cache.ts'

export type ValidateOptions = LoadOptions & ValidatedOptions

/** A file of a run. */
export interface RunFile {
  readonly input: InputFile
  readonly facts: FileFacts
  readonly found: FileProblems
}

interface Entry extends Omit<RunFile, 'found'> {
  readonly bytes: Uint8Array | string
  /** Hash of the content; undefined where nothing is cached. */
  readonly key: string | undefined
  readonly read: ReadFile | undefined
}

/** The files of a run, and those of folders that hold no document of a publisher, which were ignored. */
export interface CheckedRun extends Pick<Ours<unknown>, 'foreign' | 'stray' | 'plans'> {
  readonly files: readonly RunFile[]
}

/** Checks files, except those whose problems beside the other files of this run are known. */
export async function checkIncrementally(inputs: readonly InputFile[], options: ValidateOptions): Promise<CheckedRun> {
  const cached = openValidated(options)
  const {
    ours: entries,
    foreign,
    stray,
    plans,
    isRead,
  } = await readOurs(inputs, options, (input, bytes) => entryOf(input, bytes, options, cached))
  // What is found beside a file that cannot be read is not what is found without it.
  const known = isRead ? cached : undefined
  const relations = relationsOf(entries)
  const company = companyOf(entries, relations)
  const stored = new Map(entries.map((entry) => [entry, known && storedProblems(entry, company(entry), known)]))
  const stale = new Set(entries.filter((entry) => !stored.get(entry)))
  const checked = await checkStale(entries, stale, relations, ifRead(options, isRead))
  if (known) remember(checked, company, known)
  const files = entries.flatMap((entry) => {
    const found = stored.get(entry) ?? checked.get(entry)
    return found ? [{ input: entry.input, facts: entry.facts, found }] : []
  })
  return { files, foreign, stray, plans }
}

async function entryOf(
  input: InputFile,
  bytes: Uint8Array | string,
  options: ValidateOptions,
  known: Validated | undefined,
): Promise<Entry> {
  const key = typeof bytes === 'string' ? undefined : known?.keyOf(input.file, bytes)
  const facts = key === undefined ? undefined : known?.get(key)
  if (facts && (facts.documents.length > 0 || !input.named)) return { input, bytes, key, facts, read: undefined }
  const { readFile, factsOf } = await import('./parsed-files.ts')
  const read = readFile(input, bytes, options)
  return { input, bytes, key, read, facts: factsOf(read, options.noun) }
}

/** What the problems of a file depend on in the other files of a run. */
interface Relations {
  /** Files with documents of the same templates as an entry's own, in the order of the run; the entry is one of them. */
  readonly related: (entry: Entry) => readonly Entry[]
  /**
   * Names that the entry's documents refer to and no file has, with a hash of all names that could be suggested, and of all
   * files where a template is missing.
   */
  readonly missing: (entry: Entry) => readonly string[]
  /** Whether the template of one of an entry's documents is missing: what is advised then goes by all files. */
  readonly lacksTemplate: (entry: Entry) => boolean
  /** Names of all templates and variations. */
  readonly names: { readonly template: readonly string[]; readonly variation: readonly string[] }
}

function relationsOf(entries: readonly Entry[]): Relations {
  const members = entries.flatMap((entry) => entry.facts.families.map((name) => ({ name, entry })))
  const families = groupBy(members, ({ name }) => name)
  const positions = new Map(entries.map((entry, index) => [entry, index]))
  const template = nameSet(entries, 'templates')
  const variation = nameSet(entries, 'variations')
  const lacksTemplate = ({ facts: { concerns } }: Entry) => template.missing(concerns).length > 0
  const hashOfAll = hashOf(() => entries.map(({ key }) => key ?? ''))
  return {
    lacksTemplate,
    related: ({ facts }) => {
      const found = new Set(facts.concerns.flatMap((name) => families.get(name)?.map(({ entry }) => entry) ?? []))
      return [...found].sort((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0))
    },
    missing: (entry) => {
      const { concerns, children, queried } = entry.facts
      return [
        ...template.missing([...concerns, ...queried]),
        ...variation.missing([...children, ...queried]),
        ...(lacksTemplate(entry) ? [hashOfAll()] : []),
      ]
    },
    names: { template: [...template.all], variation: [...variation.all] },
  }
}

function nameSet(entries: readonly Entry[], list: 'templates' | 'variations') {
  const all = new Set(entries.flatMap(({ facts }) => facts[list]))
  const hashOfAll = hashOf(() => [...all].sort())
  return {
    all,
    missing: (names: readonly string[]) => {
      const found = names.filter((name) => !all.has(name))
      return found.length === 0 ? [] : [...found, hashOfAll()]
    },
  }
}

/** The hash of keys or names, which is made when it is first asked for: most runs need none. */
function hashOf(keys: () => readonly string[]): () => string {
  let hash: string | undefined
  return () => {
    hash ??= combined(keys())
    return hash
  }
}

/**
 * What the problems of each file depend on: its content, its place among the related files and theirs, and the names that
 * it misses. Undefined where that is not all, because another file holds a document of the same name.
 */
function companyOf(entries: readonly Entry[], { related, missing }: Relations) {
  const shared = sharedNames(entries)
  return (entry: Entry): Company | undefined => {
    if (entry.key === undefined || namesOf(entry).some((name) => shared.has(name))) return undefined
    const files = related(entry)
    const keys = files.map(({ key }) => key ?? '')
    return {
      key: combined([entry.key, String(files.indexOf(entry)), ...keys, '', ...missing(entry)]),
      files: [entry, ...files].map(({ input }) => input.file),
    }
  }
}

function storedProblems(entry: Entry, company: Company | undefined, known: Validated): FileProblems | undefined {
  const result = entry.read || !company ? undefined : known.resultOf(company)
  if (!result) return undefined
  const { file } = entry.input
  const [problems = [], ...ofDocuments] = result
  const documents = entry.facts.documents.map((document, index) => {
    const own = ofDocuments[index] ?? []
    return { file, ...document, valid: isValid(own), problems: own }
  })
  return { file, text: result.length === 0 || isHidden(entry.input) ? '' : textOf(entry.bytes), documents, problems }
}

function textOf(bytes: Uint8Array | string): string {
  const text = typeof bytes === 'string' ? '' : decode(bytes)
  return typeof text === 'string' ? text : ''
}

function sharedNames(entries: readonly Entry[]): Set<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const name of entries.flatMap(namesOf)) (seen.has(name) ? shared : seen).add(name)
  return shared
}

/** Names that no other document of the same kind may have. */
const namesOf = ({ facts }: Entry): string[] =>
  facts.documents.flatMap(({ kind, name }) => (kindOf(kind).key === 'name' ? [`${kind} ${name}`] : []))

/** Checks the stale files. The files that they depend on are parsed too, only to be compared with. */
async function checkStale(
  entries: readonly Entry[],
  stale: ReadonlySet<Entry>,
  { related, lacksTemplate, names }: Relations,
  options: ValidateOptions,
): Promise<Map<Entry, FileProblems>> {
  if (stale.size === 0) return new Map()
  const { checkFiles, readFile } = await import('./parsed-files.ts')
  const wanted = new Set([...stale].some(lacksTemplate) ? entries : [...stale, ...[...stale].flatMap(related)])
  const parsed = entries
    .filter((entry) => wanted.has(entry))
    .map((entry) => ({ entry, read: entry.read ?? readFile(entry.input, entry.bytes, options) }))
  const aside = new Set(parsed.filter(({ entry }) => !stale.has(entry)).map(({ read }) => read))
  const checked = await checkFiles(
    parsed.map(({ read }) => read),
    { ...options, elsewhere: names },
    (file) => aside.has(file),
  )
  const order = parsed.filter(({ entry }) => stale.has(entry))
  return new Map(checked.flatMap((file, index) => (order[index] ? [[order[index].entry, file]] : [])))
}

/** Stores what was found in the checked files. */
function remember(
  checked: ReadonlyMap<Entry, FileProblems>,
  company: (entry: Entry) => Company | undefined,
  known: Validated,
): void {
  for (const [entry, file] of checked) {
    const beside = company(entry)
    if (entry.key === undefined || !beside) continue
    known.add(entry.key, entry.facts)
    known.addResult(beside, hasProblems(file) ? [file.problems, ...file.documents.map(({ problems }) => problems)] : [])
  }
  known.save()
}
