import { join } from 'node:path'
import { isKindName } from '../../contract/kinds/kinds.ts'
import { at, isObject, listAt } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { KindName } from '../../contract/values.ts'
import type { Edit } from '../edit/edit.ts'
import type { Problem } from '../load/loaded.ts'
import { isJson } from '../yaml/source.ts'
import { contentHash } from './content-hash.ts'
import { createShards } from './shards.ts'

/** The kind and the name of a document. */
export interface DocumentName {
  readonly kind: KindName
  readonly name: string
}
/** What a run needs to know of a file that it does not parse again. */
export interface FileFacts {
  /** Its documents of the wanted kind. */
  readonly documents: readonly DocumentName[]
  /** Number of its documents of other kinds. */
  readonly others: number
  /** Names of its templates, and of its variations. */
  readonly templates: readonly string[]
  readonly variations: readonly string[]
  /** Names of the templates that its documents are or belong to. */
  readonly families: readonly string[]
  /** The same for its documents of the wanted kind alone. */
  readonly concerns: readonly string[]
  /** Variations that its documents of the wanted kind name as children. */
  readonly children: readonly string[]
  /** Templates and variations that their queries name. */
  readonly queried: readonly string[]
}

export interface ValidatedOptions {
  /** The wanted kind of document; all kinds without one. */
  readonly noun?: KindName | undefined
  readonly publisher?: string | undefined
  /** For documents for a service on this machine, the ports at which its assets answer; none if that is not known. */
  readonly localPorts?: readonly string[] | undefined
  /** Folder of the cache; without it, or without a fingerprint, nothing is cached. */
  readonly cacheDir?: string | undefined
  /** Names of the rules of whole catalogs that are checked. */
  readonly ifWhole?: readonly string[] | undefined
  /** Whether a project file says that the files are a catalog. */
  readonly isDescribed?: boolean | undefined
  /** Changes whenever the schemas or rules may have changed. */
  readonly fingerprint?: string | undefined
}

/** The problems of a file as a whole, then those of each of its documents; an empty list where there are none at all. */
export type Result = readonly (readonly Problem[])[]

/** What a file is checked beside. */
export interface Company {
  /** Made of all that the problems of the file depend on. */
  readonly key: string
  /** Names of the file and of the files beside it, which messages may name. */
  readonly files: readonly string[]
}

/** What was found in files, by hashes of their content. A cache that cannot be read or written counts as empty. */
export interface Validated {
  /** The key of a file's content. */
  readonly keyOf: (file: string, bytes: Uint8Array) => string
  readonly get: (key: string) => FileFacts | undefined
  readonly add: (key: string, facts: FileFacts) => void
  /** What was found in a file. Where that was nothing, the names of the files do not matter. */
  readonly resultOf: (company: Company) => Result | undefined
  readonly addResult: (company: Company, result: Result) => void
  readonly save: () => void
}

const clean = '"clean"'
/** Characters of a result beyond which it is not stored: who has so many problems is going to change the file. */
const longestResult = 50_000
const lists = ['templates', 'variations', 'families', 'concerns', 'children', 'queried'] as const

/** What is known for a kind, a publisher, a service here or elsewhere, and this version of the tool. */
export function openValidated({
  noun,
  publisher,
  localPorts,
  ifWhole = [],
  isDescribed = false,
  cacheDir,
  fingerprint,
}: ValidatedOptions): Validated | undefined {
  if (!cacheDir || !fingerprint) return undefined
  const shards = createShards(join(cacheDir, 'documents'))
  const context = JSON.stringify([
    fingerprint,
    noun ?? null,
    publisher ?? null,
    localPorts ?? null,
    ifWhole,
    isDescribed,
  ])
  return {
    keyOf: (file, bytes) => contentHash(`${context}${isJson(file) ? 'json' : 'yaml'}\n`, bytes),
    get: (key) => parseFacts(shards.get(key)),
    add: (key, facts) => shards.add(key, factsText(facts)),
    resultOf: (company) => (shards.get(company.key) === clean ? [] : parseResult(shards.get(namedKey(company)))),
    addResult: (company, result) => {
      const text = JSON.stringify(result)
      if (result.length === 0) shards.add(company.key, clean)
      else if (text.length <= longestResult) shards.add(namedKey(company), text)
    },
    save: shards.save,
  }
}

const namedKey = ({ key, files }: Company) => combined([key, ...files])

/** One key for several keys and names. */
export const combined = (keys: readonly string[]): string => contentHash(JSON.stringify(keys))

/** The facts as one line: the kind and the name of each document, then the lists of names. */
const factsText = ({ documents, others, ...facts }: FileFacts) =>
  JSON.stringify([others, documents.flatMap(({ kind, name }) => [kind, name]), ...lists.map((list) => facts[list])])

function parseFacts(text = ''): FileFacts | undefined {
  const [others, ...rest] = listAt(parseJson(text))
  const [pairs, templates, variations, families, concerns, children, queried] = rest.filter(isNames)
  if (
    typeof others !== 'number' ||
    !pairs ||
    !templates ||
    !variations ||
    !families ||
    !concerns ||
    !children ||
    !queried
  )
    return undefined
  return { documents: paired(pairs), others, templates, variations, families, concerns, children, queried }
}

const paired = (texts: readonly string[]): DocumentName[] =>
  texts.flatMap((kind, index) => {
    const name = texts[index + 1]
    return index % 2 === 0 && isKindName(kind) && name !== undefined ? [{ kind, name }] : []
  })

function parseResult(text = ''): Result | undefined {
  const lists = parseJson(text)
  return Array.isArray(lists) && lists.every(isProblems) ? lists : undefined
}

const isProblems = (value: unknown): value is Problem[] => Array.isArray(value) && value.every(isProblem)

const isProblem = (value: unknown): value is Problem =>
  isObject(value) &&
  (['file', 'rule', 'path', 'message'] as const).every((key) => typeof value[key] === 'string') &&
  (value.severity === 'error' || value.severity === 'warning') &&
  (['hint', 'spec'] as const).every((key) => value[key] === undefined || typeof value[key] === 'string') &&
  (['line', 'column', 'endLine', 'endColumn'] as const).every(
    (key) => value[key] === undefined || typeof value[key] === 'number',
  ) &&
  (value.edit === undefined || isEdit(value.edit))

const isEdit = (value: unknown): value is Edit => {
  const range = listAt(at(value, 'range'))
  return range.length === 2 && range.every((one) => typeof one === 'number') && typeof at(value, 'text') === 'string'
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
