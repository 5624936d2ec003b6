import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { at, isObject, isSame } from '../../contract/schema/path.ts'
import { placeOf } from '../yaml/places.ts'
import { lineStart } from '../yaml/source.ts'
import { applyEdits, type Edit, isSimple } from './edit.ts'
import { correspondingEntries } from './entries.ts'
import { flowText, indented, jsonText, memberText, quotingOf, yamlText } from './yaml-text.ts'

/** A text that is edited. */
interface Page {
  readonly text: string
  /** Whether it is strict JSON. */
  readonly isJson: boolean
  /** Whether the place is between brackets. */
  readonly isFlow?: boolean
  /** Whether aliases stay as they are: what they stand for may come to be what they are to be. */
  readonly keepsAliases?: boolean
}

type Member = Pair<ParsedNode, ParsedNode | null>

/**
 * The edits that make a document's nodes say another value. What does not change keeps its text, comments and layout.
 * Undefined where the document must be written anew. Values that aliases share need another round, because an edit of
 * one changes the others.
 */
export function revisions(page: Page, root: ParsedNode, before: unknown, after: unknown): readonly Edit[] | undefined {
  return isMap(root) && isObject(after) ? mapEdits(page, root, before, after) : undefined
}

/** The whole text of a document's value, where `revisions` has none. */
export function wholeEdit({ text, isJson }: Page, root: ParsedNode, after: unknown): Edit {
  const start = root.range[0]
  const isAlone = text.slice(lineStart(text, start), start).trim() === ''
  const whole = isJson ? jsonText(after, 2) : yamlText(after).trimEnd()
  return {
    range: [isAlone ? lineStart(text, start) : start, withoutBreaks(text, lineEnd(text, lastOf(root)))],
    text: isAlone ? whole : `\n${whole}`,
  }
}

/** The edits of the value of a member or entry. */
function valueEdits(page: Page, node: ParsedNode, before: unknown, after: unknown): readonly Edit[] | undefined {
  if (isSame(before, after) || (page.keepsAliases && isAlias(node))) return []
  if (isScalar(node) && isEditable(node, page) && !isContainer(after)) {
    const text = scalarText(page, node, after)
    return text.includes('\n') ? undefined : [{ range: [node.range[0], node.range[1]], text }]
  }
  if (isMap(node) && isObject(after) && node.items.length > 0) return mapEdits(page, node, before, after)
  if (isSeq(node) && Array.isArray(after) && node.items.length > 0) return seqEdits(page, node, before, after)
  return undefined
}

/** Whether a scalar can be replaced within its line; an anchor before it stays, as aliases may name it. */
const isEditable = (node: Scalar.Parsed, { text }: Page): boolean =>
  isSimple({ ...placeOf(node), isBare: node.tag === undefined }, text)

const isContainer = (value: unknown) => typeof value === 'object' && value !== null

/** A scalar in place of another: with the same quotes, if it is a text. */
function scalarText({ isJson, isFlow }: Page, { type }: Scalar.Parsed, value: unknown): string {
  if (isJson || typeof value !== 'string') return jsonText(value)
  const quoting = quotingOf(type)
  return isFlow ? flowText(value, quoting) : yamlText(value, { quoting }).trimEnd()
}

function mapEdits(around: Page, map: YAMLMap.Parsed, before: unknown, after: Record<string, unknown>) {
  const page = { ...around, isFlow: around.isFlow || map.flow === true }
  const members = map.items.filter(isNamed)
  const isMerging = members.length < map.items.length
  if (isMerging && Object.keys(Object(before)).some((key) => !Object.hasOwn(after, key))) return undefined
  const kept = members.filter(({ key }) => Object.hasOwn(after, key.value))
  const edits = kept.map((member) => {
    const key = member.key.value
    return memberEdits(page, map, member, [at(before, key), after[key]])
  })
  if (edits.some((some) => some === undefined)) return undefined
  const known = new Set(kept.map(({ key }) => key.value))
  const order = Object.keys(after)
  const fresh = order.filter((key) => !known.has(key) && !isSame(at(before, key), after[key]))
  return changeEdits(page, map, {
    kept,
    removed: members.filter((member) => !kept.includes(member)),
    edits: edits.flatMap((some) => some ?? []),
    fresh: fresh.map((key) => ({ behind: predecessor(key, order, kept), key, value: after[key] })),
  })
}

type NamedMember = Member & { key: Scalar.Parsed & { value: string } }
const isNamed = (member: Member): member is NamedMember =>
  isScalar(member.key) &&
  typeof member.key.value === 'string' &&
  !(member.key.value === '<<' && member.key.type === 'PLAIN')

/** The nearest member before a key, in the order of the value, that the text has; the last one without such. */
function predecessor(key: string, order: readonly string[], kept: readonly NamedMember[]): NamedMember | undefined {
  const before = order.slice(0, order.indexOf(key))
  return kept.findLast((member) => before.includes(member.key.value)) ?? kept.at(-1)
}

function memberEdits(
  page: Page,
  map: YAMLMap.Parsed,
  { key, value }: NamedMember,
  [before, after]: readonly [unknown, unknown],
): readonly Edit[] | undefined {
  const inner = value ? valueEdits(page, value, before, after) : undefined
  if (inner) return inner
  const colon = page.text.indexOf(':', key.range[1]) + 1
  const end = value && !isEmpty(value) ? withoutBreaks(page.text, lastOf(value)) : colon
  const quoting = isScalar(value) ? quotingOf(value.type) : undefined
  if (colon === 0 || end < colon) return undefined
  if (page.isFlow) return [{ range: [colon, end], text: ` ${inlineText(page, map, after)}` }]
  return [linesEdit(page.text, [colon, end], memberText(after, columnOf(page.text, map.range[0]), quoting))]
}

/** Replaces a value; a comment behind it stays on the line of the key if the new value has several lines. */
function linesEdit(text: string, [start, end]: Edit['range'], fresh: string): Edit {
  const [first = '', ...others] = fresh.split('\n')
  const comment = /^[ \t]+#.*/.exec(text.slice(end))?.[0] ?? ''
  if (comment === '' || others.length === 0) return { range: [start, end], text: fresh }
  return { range: [start, end + comment.length], text: [first + comment, ...others].join('\n') }
}

function seqEdits(around: Page, seq: YAMLSeq.Parsed, before: unknown, after: readonly unknown[]) {
  const page = { ...around, isFlow: around.isFlow || seq.flow === true }
  const old: readonly unknown[] = Array.isArray(before) ? before : []
  const items: readonly ParsedNode[] = seq.items
  const pairs = correspondingEntries(old, after)
  const entries = after.map((value, index) => {
    const place = pairs[index] ?? -1
    const item = items[place]
    const edits = item && valueEdits(page, item, old[place], value)
    return { value, item: edits && item, edits: edits ?? [] }
  })
  const kept = entries.flatMap(({ item }) => item ?? [])
  if (kept.length === 0) return undefined
  const change: Change = {
    kept,
    removed: items.filter((item) => !kept.includes(item)),
    edits: entries.flatMap(({ edits }) => edits),
    fresh: entries.flatMap(({ item, value }, index) =>
      item ? [] : [{ behind: entries.slice(0, index).findLast((one) => one.item)?.item, value }],
    ),
  }
  return changeEdits(page, seq, change)
}

/** What becomes of the members or entries of a collection. */
interface Change {
  readonly kept: readonly Item[]
  readonly removed: readonly Item[]
  /** Within the ones that stay. */
  readonly edits: readonly Edit[]
  readonly fresh: readonly Fresh[]
}
interface Fresh {
  /** Undefined for the beginning. */
  readonly behind: Item | undefined
  /** Undefined for the entry of a list. */
  readonly key?: string
  readonly value: unknown
}
type Item = NamedMember | ParsedNode
type Collection = YAMLMap.Parsed | YAMLSeq.Parsed

const changeEdits = (page: Page, collection: Collection, change: Change): readonly Edit[] | undefined =>
  collection.flow ? flowEdits(page, collection, change) : blockEdits(page, collection, change)

/** The edits of a collection that has its members or entries on lines of their own. */
function blockEdits({ text }: Page, collection: Collection, change: Change): Edit[] | undefined {
  if (change.kept.length === 0) return undefined
  const [start] = collection.range
  const removals = change.removed.map((item) => removal(text, item, start))
  const insertions = change.fresh.map((one) => insertion(text, one, change.kept, start))
  const all = [...removals, ...insertions]
  if (all.some((edit) => edit === undefined)) return undefined
  return [...change.edits, ...all.flatMap((edit) => edit ?? [])]
}

/** Removes the lines of a member or entry; undefined where its first line holds something else, too. */
function removal(text: string, item: Item, collection: number): Edit | undefined {
  const start = firstLineOf(text, item, collection)
  return start === undefined ? undefined : { range: [start, lineEnd(text, lastOf(item))], text: '' }
}

function insertion(text: string, { behind, key, value }: Fresh, [first]: readonly Item[], collection: number) {
  const place = behind ? lineEnd(text, lastOf(behind)) : first && firstLineOf(text, first, collection)
  if (place === undefined) return undefined
  const lines = indented(yamlText(key === undefined ? [value] : { [key]: value }), columnOf(text, collection))
  return { range: [place, place], text: place > 0 && text[place - 1] !== '\n' ? `\n${lines}` : lines } satisfies Edit
}

/**
 * Where the lines of a member or entry of the collection at an offset begin; undefined if they begin with something else.
 * The `-` of an entry may be on a line above it.
 */
function firstLineOf(text: string, item: Item, collection: number): number | undefined {
  const indent = columnOf(text, collection)
  const mark = 'key' in item ? undefined : '-'
  const offset = startOf(item)
  for (let start = lineStart(text, offset); ; start = lineStart(text, start - 1)) {
    const isBlank = text.slice(start, start + indent).trim() === ''
    if (isBlank && (mark === undefined ? start + indent === offset : text[start + indent] === mark)) return start
    if (start <= collection || mark === undefined) return undefined
  }
}

/** The edits of a collection in brackets; it is put together again where something is added or removed. */
function flowEdits(page: Page, collection: Collection, { kept, removed, edits, fresh }: Change): readonly Edit[] {
  if (removed.length + fresh.length === 0) return edits
  const { text } = page
  const [start, end] = collection.range
  const parts = kept.map((item): FlowPart => ({ behind: item, text: editedSlice(text, item, edits) }))
  for (const { behind, key, value } of fresh) {
    const written = inlineText(page, collection, value)
    const part = key === undefined ? written : `${keyText(page, collection, key)}: ${written}`
    parts.splice(parts.findLastIndex((one) => one.behind === behind) + 1, 0, { behind, text: part })
  }
  const [first] = collection.items
  const lead = first ? text.slice(start + 1, startOf(first as Item)) : ''
  const inside = text.slice(start, end - 1)
  const tail = inside.slice(inside.trimEnd().length)
  const joined = parts.map((part) => part.text).join(lead.includes('\n') ? `,${lead}` : ', ')
  return [{ range: [start, end], text: `${text[start]}${lead}${joined}${tail}${text[end - 1]}` }]
}

interface FlowPart {
  /** The member or entry that it is, or follows. */
  readonly behind: Item | undefined
  readonly text: string
}

/** The text of a member or entry with the edits within it. */
function editedSlice(text: string, item: Item, edits: readonly Edit[]): string {
  const [start, end] = [startOf(item), lastOf(item)]
  const own = edits.filter(({ range }) => range[0] >= start && range[1] <= end)
  const moved = own.map((edit): Edit => ({ ...edit, range: [edit.range[0] - start, edit.range[1] - start] }))
  return applyEdits(text.slice(start, end), moved)
}

/** Whether the keys of a collection in brackets are quoted, as in JSON. */
const hasQuotedKeys = (collection: ParsedNode) =>
  isMap(collection) && collection.items.some(({ key }) => isScalar(key) && key.type === 'QUOTE_DOUBLE')

const keyText = ({ isJson }: Page, collection: ParsedNode, key: string) =>
  isJson || hasQuotedKeys(collection) ? jsonText(key) : flowText(key)

function inlineText({ isJson, text }: Page, collection: ParsedNode, value: unknown): string {
  if (!isJson) return hasQuotedKeys(collection) ? jsonText(value) : flowText(value)
  const line = lineStart(text, collection.range[0])
  const indent = /^\s*/.exec(text.slice(line))?.[0].length ?? 0
  return indented(jsonText(value, 2), indent + 2).trimStart()
}

const startOf = (item: Item) => ('key' in item ? item.key.range[0] : item.range[0])

/** Where the value of a node, or a member or entry, ends: its last scalar or bracket. */
function lastOf(item: Item): number {
  if ('key' in item) return item.value && !isEmpty(item.value) ? lastOf(item.value) : item.key.range[1]
  if (isScalar(item) || isAlias(item) || item.flow) return item.range[1]
  const last = item.items.at(-1)
  return last === undefined ? item.range[1] : lastOf(last as Item)
}

/** Whether nothing is written for a value, which is null. */
const isEmpty = (node: ParsedNode) => isScalar(node) && node.range[0] === node.range[1]

const columnOf = (text: string, offset: number) => offset - lineStart(text, offset)

/** The end of the line of an offset, its line break included; the offset itself where it begins a line. */
function lineEnd(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}

function withoutBreaks(text: string, offset: number): number {
  let end = offset
  while (end > 0 && /[\r\n]/.test(text[end - 1] ?? '')) end--
  return end
}
