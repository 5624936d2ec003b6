import { type Alias, isAlias, isMap, isScalar, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { limits } from '../../contract/limits.ts'
import { isObject, nestsDeeper, type Path, printPath } from '../../contract/schema/path.ts'
import { word } from '../../contract/schema/wording.ts'
import { type Finding, finding, type Range } from '../finding.ts'
import { nextDocument } from './joined-documents.ts'
import { tooDeep } from './parse.ts'
import { untagged } from './tags.ts'
import {
  commentInsteadOf,
  commentWords,
  curlyQuotes,
  cutText,
  isPerhapsText,
  lossyNumber,
  withoutComma,
} from './traps.ts'
import { type Anchor, breakAt, type FirstAnchor, type PerhapsText, rangeOf, type Walk } from './walk-state.ts'

/** A document as a JSON value, with the parts that cannot be one. */
export interface Walked {
  readonly value: unknown
  readonly findings: readonly Finding[]
  /** Places whose value is missing because a finding was reported there. */
  readonly broken: readonly Path[]
  /** Numbers that may be meant as texts, of which nothing else is reported. */
  readonly perhapsTexts: readonly PerhapsText[]
  /** What each alias stands for. */
  readonly targets: ReadonlyMap<Alias, ParsedNode>
}

/** The JSON value of a document's nodes. Values under aliases are shared, never copied. */
export function walk(contents: ParsedNode, text: string, firstAnchor: FirstAnchor): Walked {
  const state: Walk = {
    findings: [],
    broken: [],
    perhapsTexts: [],
    targets: new Map(),
    anchors: new Map(),
    path: [],
    text,
    firstAnchor,
    size: 0,
    aliased: 0,
    named: 0,
  }
  const next = joinedTo(contents)
  if (next) {
    refuse(state, joined(next))
    return { value: null, ...state }
  }
  try {
    const value = nodeValue(contents, state)
    if (state.aliased === 0) return { value, ...state }
    if (state.aliased > limits.aliased) refuse(state, bomb(contents.range[0]))
    else if (nestsDeeper(value, limits.depth)) refuse(state, tooDeep(contents.range[0]))
    else if (namesMore(value, limits.fieldPath)) refuse(state, tooLong([contents.range[0], contents.range[0] + 1]))
    return { value, ...state }
  } catch (error) {
    if (!(error instanceof LongNames)) throw error
    return { value: null, ...state, findings: [tooLong(error.range)], broken: [[]], perhapsTexts: [] }
  }
}

/** The names of the fields to one have more characters than are read; with these, each problem there would take much memory. */
class LongNames extends Error {
  constructor(readonly range: Range) {
    super()
  }
}

const tooLong = (range: Range): Finding =>
  finding('depth', `the names of the fields to here have more than ${limits.fieldPath} characters together`, { range })

/** Whether the names of fields that are in each other have more than so many characters; it looks no further than that. */
function namesMore(value: unknown, characters: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  const isList = Array.isArray(value)
  return Object.entries(value).some(([name, inner]) => {
    const left = isList ? characters : characters - name.length
    return left < 0 || namesMore(inner, left)
  })
}

function refuse(state: Walk, found: Finding): void {
  state.findings.push(found)
  state.broken.push([])
}
const bomb = (offset: number) =>
  finding('yaml-alias', `aliases stand for more than ${limits.aliased} values`, { range: [offset, offset + 1] })

/** The key with which another document begins in the fields of one; undefined where none does. */
function joinedTo(contents: ParsedNode): ParsedNode | undefined {
  if (!isMap(contents) || contents.flow) return undefined
  const index = nextDocument(contents.items.map(({ key }) => (isScalar(key) ? String(key.value) : '')))
  return index === undefined ? undefined : contents.items[index]?.key
}

const joined = (key: ParsedNode) =>
  finding('yaml-document', 'another document begins here, and no line --- is before it', {
    range: rangeOf(key),
    hint: 'write a line --- before each document of a file but the first',
  })

function nodeValue(node: ParsedNode, state: Walk): unknown {
  state.size += 1
  if (isAlias(node)) return aliasValue(node, state)
  const anchor = open(node, state)
  const before = state.size
  const value = untagged(node, state) ? plainValue(node, state) : undefined
  if (anchor) {
    anchor.value = value
    anchor.size = state.size - before + 1
  }
  return value
}

function plainValue(node: Exclude<ParsedNode, Alias>, state: Walk): unknown {
  if (isScalar(node)) return scalarValue(node, state)
  return isMap(node) ? mapValue(node, state) : seqValue(node, state)
}

function open(node: Exclude<ParsedNode, Alias>, state: Walk): Anchor | undefined {
  if (node.anchor === undefined) return undefined
  const anchor: Anchor = { node, value: undefined }
  state.anchors.set(node.anchor, anchor)
  return anchor
}

function scalarValue(node: Scalar.Parsed, state: Walk): unknown {
  const { value } = node
  if (typeof value === 'string') return textValue(node, value, state)
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'number' || !Number.isFinite(value))
    return breakAt(state, rangeOf(node), {
      rule: 'json-number',
      message: `${word(node.source)} is a number that JSON cannot represent`,
      hint: `quote it if it is a text: "${word(node.source)}"`,
    })
  const { source = '' } = node
  if (source === String(value)) return value
  const lossy = lossyNumber(source, value)
  const where = { path: [...state.path], range: rangeOf(node) }
  if (lossy) state.findings.push({ ...lossy, ...where })
  else if (isPerhapsText(source, value)) state.perhapsTexts.push({ ...where, source, value })
  return value
}

function textValue(node: Scalar.Parsed, text: string, state: Walk): string {
  if (node.type !== 'PLAIN') return text
  const range = rangeOf(node)
  for (const found of [curlyQuotes(text), cutText(text, range[1], state.text)])
    if (found) state.findings.push({ range, ...found, path: [...state.path] })
  return text
}

function aliasValue(node: Alias.Parsed, state: Walk): unknown {
  const anchor = state.anchors.get(node.source)
  const name = `*${node.source}`
  if (node.source === '') return void state.broken.push([...state.path])
  if (!anchor) return breakAt(state, rangeOf(node), { rule: 'yaml-alias', ...withoutAnchor(node, state) })
  if (anchor.size === undefined)
    return breakAt(state, rangeOf(node), {
      rule: 'yaml-alias',
      message: `the alias ${name} is inside the value that it names`,
    })
  state.targets.set(node, anchor.node)
  state.size += anchor.size
  state.aliased += anchor.size
  return anchor.value
}

/** What is wrong with an alias that has no anchor: one of an earlier document of the file does not count. */
function withoutAnchor({ source, range }: Alias.Parsed, { firstAnchor }: Walk) {
  return (firstAnchor(source) ?? range[0]) < range[0]
    ? {
        message: `*${source} is an alias of &${source}, which is in another document of the file`,
        hint: 'an anchor is known up to the next ---: write the value again',
      }
    : {
        message: `*${source} is an alias, and nothing above it has the anchor &${source}`,
        hint: `a text that begins with * needs quotes: "*${source}"`,
      }
}

function seqValue(node: YAMLSeq.Parsed, state: Walk): unknown[] {
  return node.items.map((item, index) => {
    state.path.push(index)
    const value = nodeValue(item, state)
    state.path.pop()
    return value
  })
}

function mapValue(node: YAMLMap.Parsed, state: Walk): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const keys = new Map<string, ParsedNode>()
  const merges: ParsedNode[] = []
  for (const { key, value } of node.items) {
    if (isMergeKey(key)) {
      if (value) merges.push(value)
      continue
    }
    const name = keyName(key, state)
    if (name === undefined) continue
    enter(name, key, state)
    if (isUsableKey(name, key, keys, state)) result[name] = memberValue(key, value, state)
    leave(name, state)
  }
  for (const source of merges) merge(result, source, state)
  return result
}

function enter(name: string, key: ParsedNode, state: Walk): void {
  state.path.push(name)
  state.named += name.length
  if (state.named > limits.fieldPath) throw new LongNames(rangeOf(key))
}

function leave(name: string, state: Walk): void {
  state.path.pop()
  state.named -= name.length
}

function memberValue(key: ParsedNode, value: ParsedNode | null, state: Walk): unknown {
  if (!value) return null
  const comment = isScalar(value) && value.value === null ? commentInsteadOf(value, key, state.text) : undefined
  if (!comment || /\s/.test(comment.text)) return nodeValue(value, state)
  return breakAt(state, comment.range, commentWords(comment))
}

/** A plain `<<`, which merges another map into its own. */
export const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === '<<' && key.type === 'PLAIN'

function keyName(key: ParsedNode, state: Walk): string | undefined {
  if (isScalar(key) && typeof key.value === 'string') {
    if (key.anchor) state.anchors.set(key.anchor, { node: key, value: key.value, size: 1 })
    return key.value
  }
  const shown = isScalar(key) && key.source ? key.source : undefined
  const whole = shown !== undefined && /^\d+$/.test(shown) ? digitsBeforeComma(state.text, key.range[0]) : ''
  if (whole !== '') {
    const range = [key.range[0] - whole.length - 1, rangeOf(key)[1]] as const
    breakKey(
      state,
      range,
      `in { } a comma begins the next field, so ${whole},${shown} is no number`,
      withoutComma(whole, shown),
    )
    return undefined
  }
  breakKey(
    state,
    rangeOf(key),
    shown ? `the key ${shown} is not a text` : 'a key must be a text',
    shown && `write "${shown}"`,
  )
  return undefined
}

/** The digits in front of a comma that ends at an offset: `3` of `3,50`; empty for none. */
function digitsBeforeComma(text: string, offset: number): string {
  if (text[offset - 1] !== ',') return ''
  let first = offset - 1
  while (/\d/.test(text[first - 1] ?? '')) first -= 1
  return text.slice(first, offset - 1)
}

function breakKey(state: Walk, range: Range, message: string, hint?: string): void {
  state.findings.push(finding('yaml-key', message, { path: [...state.path], range, ...(hint && { hint }) }))
}

const newDocument = 'keep one of them; if another document begins here, write a line --- before it'

function isUsableKey(name: string, key: ParsedNode, keys: Map<string, ParsedNode>, state: Walk): boolean {
  if (name === '__proto__' || (name === 'prototype' && state.path.at(-2) === 'constructor')) {
    breakAt(state, rangeOf(key), { rule: 'unsafe-key', message: `${name} cannot be the name of a field` })
    return false
  }
  const first = keys.get(name)
  keys.set(name, first ?? key)
  if (!first) return true
  state.findings.push({
    ...finding('yaml-duplicate', `${printPath(state.path)} is set twice`, { path: [...state.path] }),
    range: rangeOf(key),
    other: { range: rangeOf(first), says: 'the first one is at' },
    hint: state.path.length === 1 ? newDocument : 'keep one of them',
  })
  return false
}

/** Adds the members of the maps that a `<<` names, but does not overwrite members. */
function merge(result: Record<string, unknown>, source: ParsedNode, state: Walk): void {
  const value = nodeValue(source, state)
  if (state.aliased > limits.aliased) return
  // What is undefined could not be read, which is reported already.
  const maps = (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined)
  if (!maps.every(isObject)) {
    breakKey(state, rangeOf(source), '<< merges a map, and this value is not a map')
    return
  }
  for (const map of maps)
    for (const [key, own] of Object.entries(map)) if (!Object.hasOwn(result, key)) result[key] = own
}
