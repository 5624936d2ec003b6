import { type Alias, isAlias, isCollection, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml'
import type { Path } from '../../contract/schema/path.ts'
import type { Range } from '../finding.ts'
import { isMergeKey } from './walk.ts'

/** The part of a member that a place refers to: its value, or its key. */
export type Part = 'key' | 'value'
type Targets = ReadonlyMap<Alias, ParsedNode>

/** The nodes at a path of a document, or at the part of the path that exists. */
export interface Found {
  readonly node: ParsedNode
  readonly key?: ParsedNode
  readonly complete: boolean
  /** Whether the path goes through an alias or a merge, so that other places use the same text. */
  readonly shared: boolean
}

export function findNode(contents: ParsedNode, path: Path, targets: Targets): Found {
  let found: Found = { node: contents, complete: true, shared: false }
  for (const step of path) {
    const next = child(behind(found.node, targets), step, targets)
    if (!next) return { ...found, complete: false }
    found = { ...next, shared: next.shared || found.shared || isAlias(found.node) }
  }
  return found
}

/** The value of an alias; any other node itself. */
export const behind = (node: ParsedNode, targets: Targets): ParsedNode | undefined =>
  isAlias(node) ? targets.get(node) : node

function child(node: ParsedNode | undefined, step: string | number, targets: Targets): Found | undefined {
  if (isMap(node)) return member(node, String(step), targets)
  if (!isSeq(node) || typeof step !== 'number') return undefined
  const item = node.items[step]
  return item && { node: item, complete: true, shared: false }
}

function member(map: YAMLMap.Parsed, name: string, targets: Targets): Found | undefined {
  const own = map.items.find(({ key }) => isScalar(key) && key.value === name && !isMergeKey(key))
  if (own) return { node: own.value ?? own.key, key: own.key, complete: true, shared: false }
  for (const { key, value } of map.items) {
    if (!isMergeKey(key) || !value) continue
    const source = behind(value, targets)
    const maps = isSeq(source) ? source.items.map((item) => behind(item, targets)) : [source]
    for (const merged of maps) {
      const found = isMap(merged) && member(merged, name, targets)
      if (found) return { ...found, shared: true }
    }
  }
  return undefined
}

/**
 * The range to underline for a path: a scalar itself; the key of a list, of an object, of a member without a value, and
 * of the last step that exists; the first line where there is no key.
 */
export function locate(text: string, contents: ParsedNode, path: Path, targets: Targets, part: Part): Range {
  const { node, key, complete } = findNode(contents, path, targets)
  const plain = !isCollection(node) && node.range[0] < node.range[1]
  if (plain && complete && part === 'value') return firstLine(text, node)
  return firstLine(text, key ?? node)
}

function firstLine(text: string, { range: [start, end] }: ParsedNode): Range {
  const line = text.indexOf('\n', start)
  const stop = line < 0 ? text.length : line
  const cut = Math.min(end, stop)
  return [start, cut > start ? start + text.slice(start, cut).trimEnd().length : cut]
}
