import { join } from 'node:path'
import { isKindName } from '../../contract/kinds/kinds.ts'
import { listAt } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { KindName } from '../../contract/values.ts'
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
}

export interface ValidatedOptions {
  /** The wanted kind of document; all kinds without one. */
  readonly noun?: KindName | undefined
  readonly publisher?: string | undefined
  /** Folder of the cache; without it, or without a fingerprint, nothing is cached. */
  readonly cacheDir?: string | undefined
  /** Names of the rules of whole catalogs that are checked. */
  readonly ifWhole?: readonly string[] | undefined
  /** Whether a project file says that the files are a catalog. */
  readonly isDescribed?: boolean | undefined
  /** Changes whenever the schemas or rules may have changed. */
  readonly fingerprint?: string | undefined
}

/** Files known to have no problem, by hashes of their content. A cache that cannot be read or written counts as empty. */
export interface Validated {
  /** The key of a file's content. */
  readonly keyOf: (file: string, bytes: Uint8Array) => string
  readonly get: (key: string) => FileFacts | undefined
  readonly add: (key: string, facts: FileFacts) => void
  /** Whether a file had no problem beside certain other files; the key is made of all their contents. */
  readonly isClean: (key: string) => boolean
  readonly addClean: (key: string) => void
  readonly save: () => void
}

const clean = '"clean"'
const lists = ['templates', 'variations', 'families', 'concerns', 'children'] as const

/** The files known to be valid for a kind, a publisher and this version of the tool. */
export function openValidated({
  noun,
  publisher,
  ifWhole = [],
  isDescribed = false,
  cacheDir,
  fingerprint,
}: ValidatedOptions): Validated | undefined {
  if (!cacheDir || !fingerprint) return undefined
  const shards = createShards(join(cacheDir, 'documents'))
  const context = JSON.stringify([fingerprint, noun ?? null, publisher ?? null, ifWhole, isDescribed])
  return {
    keyOf: (file, bytes) => contentHash(`${context}${isJson(file) ? 'json' : 'yaml'}\n`, bytes),
    get: (key) => parseFacts(shards.get(key)),
    add: (key, facts) => shards.add(key, factsText(facts)),
    isClean: (key) => shards.get(key) === clean,
    addClean: (key) => shards.add(key, clean),
    save: shards.save,
  }
}

/** One key for several keys and names. */
export const combined = (keys: readonly string[]): string => contentHash(JSON.stringify(keys))

/** The facts as one line: the kind and the name of each document, then the lists of names. */
const factsText = ({ documents, others, ...facts }: FileFacts) =>
  JSON.stringify([others, documents.flatMap(({ kind, name }) => [kind, name]), ...lists.map((list) => facts[list])])

function parseFacts(text = ''): FileFacts | undefined {
  const [others, ...rest] = listAt(parseJson(text))
  const [pairs, templates, variations, families, concerns, children] = rest.filter(isNames)
  if (typeof others !== 'number' || !pairs || !templates || !variations || !families || !concerns || !children)
    return undefined
  return { documents: paired(pairs), others, templates, variations, families, concerns, children }
}

const paired = (texts: readonly string[]): DocumentName[] =>
  texts.flatMap((kind, index) => {
    const name = texts[index + 1]
    return index % 2 === 0 && isKindName(kind) && name !== undefined ? [{ kind, name }] : []
  })

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
