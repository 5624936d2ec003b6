import { join } from 'node:path'
import type { KindName } from '../../contract/values.ts'
import { contentHash } from './content-hash.ts'
import { createShards } from './shards.ts'

/** What a run needs to know of a file that it does not read again. */
export interface FileFacts {
  /** Names of its documents of the noun. */
  readonly names: readonly string[]
  /** Documents of other nouns. */
  readonly others: number
  /** Names of the templates in it, and of the variations. */
  readonly templates: readonly string[]
  readonly variations: readonly string[]
  /** Templates that its documents are, or are made for. */
  readonly families: readonly string[]
  /** Those of them that its documents of the noun are, or are made for. */
  readonly concerns: readonly string[]
  /** Variations that its documents of the noun name as children. */
  readonly children: readonly string[]
}

export interface ValidatedOptions {
  readonly noun: KindName
  readonly publisher?: string | undefined
  /** Where to store what was found valid; without it, or without a fingerprint, nothing is stored. */
  readonly cacheDir?: string | undefined
  /** Changes whenever the schemas or rules may have changed. */
  readonly fingerprint?: string | undefined
}

/** Files known to be without any problem, by their content. What cannot be read or written is as if it were not there. */
export interface Validated {
  /** The name of a file's content among all that are known. */
  readonly keyOf: (file: string, bytes: Uint8Array) => string
  readonly get: (key: string) => FileFacts | undefined
  readonly add: (key: string, facts: FileFacts) => void
  /** Whether a file was found to be without any problem beside certain others: the name is of all their contents. */
  readonly isClean: (mark: string) => boolean
  readonly addClean: (mark: string) => void
  readonly save: () => void
}

const clean = '"clean"'
const lists = ['names', 'templates', 'variations', 'families', 'concerns', 'children'] as const

/** The known files of a kind for a publisher, for this version of the tool. */
export function openValidated({ noun, publisher, cacheDir, fingerprint }: ValidatedOptions): Validated | undefined {
  if (!cacheDir || !fingerprint) return undefined
  const shards = createShards(join(cacheDir, 'documents'))
  const context = JSON.stringify([fingerprint, noun, publisher ?? null])
  return {
    keyOf: (file, bytes) => contentHash(`${context}${file.toLowerCase().endsWith('.json') ? 'json' : 'yaml'}\n`, bytes),
    get: (key) => parseFacts(shards.get(key)),
    add: (key, facts) => shards.add(key, JSON.stringify([facts.others, ...lists.map((list) => facts[list])])),
    isClean: (mark) => shards.get(mark) === clean,
    addClean: (mark) => shards.add(mark, clean),
    save: shards.save,
  }
}

/** The name of several contents together. */
export const combined = (keys: readonly string[]): string => contentHash(JSON.stringify(keys))

function parseFacts(text: string | undefined): FileFacts | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return undefined
    const [others, ...rest]: readonly unknown[] = value
    const [names, templates, variations, families, concerns, children] = rest.filter(isNames)
    if (typeof others !== 'number' || !names || !templates || !variations || !families || !concerns || !children)
      return undefined
    return { names, others, templates, variations, families, concerns, children }
  } catch {
    return undefined
  }
}
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
