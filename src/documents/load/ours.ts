import { Buffer } from 'node:buffer'
import { basename } from 'node:path'
import { isKindName } from '../../contract/kinds/kinds.ts'
import { limits } from '../../contract/limits.ts'
import { isObject } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { projectFileName } from '../../contract/values.ts'
import { inputProblem } from '../finding.ts'
import { isJson } from '../yaml/source.ts'
import type { CheckOptions } from './check-files.ts'
import type { InputFile } from './inputs.ts'
import { interruptible } from './interruptible.ts'
import { standingOfLarge } from './large-files.ts'
import { outside } from './linked-folders.ts'
import type { Problem } from './loaded.ts'
import { type ReadOptions, readInput } from './read.ts'
import { remainsOf, strayProblem, unsearchedProblem } from './remains.ts'

/** Keys that only documents of a publisher have at their top; not "vatom", which is also a package's name. */
const ownKeys = ['template', 'template_variation', 'unpublished', 'cloneable', 'display_url', 'package_url', 'reactor']
const anyOwnKey = ownKeys.join('|')

/** Own keys, what documents say of themselves, and names as values of a key at the top. A mere mention in a text is no sign. */
const signs = [
  new RegExp(`^["']?(?:${anyOwnKey}|vatom)["']?\\s*:`, 'm'),
  new RegExp(`^[\\s[{]{0,6}"(?:${anyOwnKey})"\\s*:`, 'm'),
  /^["']?kind["']?\s*:\s*["']?(?:template|variation|face|action)\b/m,
  /^["']?[\w$]+["']?\s*:\s*["']?\$publisher\b/m,
  /(?:^|[{,])[^\S\r\n]*["']?vAtom::\w+["']?\s*:(?:\s|$)/m,
  /\broot_type["']?\s*:\s*["']?vAtom::/,
  /\$schema\b[^\n]{0,200}\.vatom\/|#[^\S\r\n]*vatom-ignore/,
]

/** The name of a document in an item of a list; other tools have lists with keys such as `template`, too. */
const listedName =
  /(?:^(?:-| )[ \t{]*|[[{,][ \t]*)["']?(?:template|template_variation|name)["']?\s*:\s*["']?(?:\$publisher|[\w-]+(?:\.[\w-]+)+)::/m
const list = /^(?:\s|#[^\n]*\n|---(?=\s))*(?:-\s|\[)/

/** Whether the text of a file says, or looks as if, it holds documents of a publisher. */
export function hasSign(text: string): boolean {
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  if (json !== undefined) return [json].flat().some(isSigned)
  return hasLineSign(text) || isSigned(inBraces(text))
}

/** The same by its lines, also of a part of a text. */
const hasLineSign = (text: string) =>
  signs.some((sign) => sign.test(text)) || (list.test(text) && listedName.test(text))

/** What comes before a document in braces, and its first one; not that of a template language. */
const openingBrace = /^(?:\s|#[^\n]*\n|%[^\n]*\n|---(?=\s))*\{(?![{%])/
/** The parts of YAML in braces: texts in quotes, comments, marks, and plain texts, in which a colon is no mark. */
const parts = /"[^"\\]*(?:\\.[^"\\]*)*"?|'[^']*(?:''[^']*)*'?|#[^\n]*|[{}[\],:]|(?:[^\s{}[\],:"'#]|:(?=[^\s{}[\],]))+/gs

/** The keys at the top of a document of YAML in braces, each with its value if that is a text; undefined for another one. */
function inBraces(text: string): Record<string, unknown> | undefined {
  const [opening] = openingBrace.exec(text) ?? []
  if (opening === undefined) return undefined
  const found: Record<string, unknown> = {}
  let [depth, before, key] = [1, '{', '']
  for (const [part] of text.slice(opening.length).matchAll(parts)) {
    if (part.startsWith('#')) continue
    if ('{['.includes(part)) {
      if (depth === 1 && key) found[key] = {}
      depth++
    } else if ('}]'.includes(part)) depth--
    else if (depth === 1 && part === ':') key = unquoted(before)
    else if (depth === 1 && before === ':') found[key] = unquoted(part)
    if (depth === 0) break
    before = part
  }
  return found
}

const unquoted = (part: string): string => part.replace(/^(["'])(.*)\1$/s, '$2')

/** Whether a JSON value says, or looks as if, it is a document: reports of vatom have documents, or parts of them, inside. */
const isSigned = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).some(
    ([key, member]) =>
      ownKeys.includes(key) ||
      key.startsWith('vAtom::') ||
      (key === 'kind' && isKindName(member)) ||
      (key === 'vatom' && isObject(member)) ||
      (typeof member === 'string' && isOwnText.test(member)),
  )

/** The address of an own schema, or a name. */
const isOwnText = /(?:^|\/)\.vatom\/|^\$publisher\b/

/** A key, an item of a list, or JSON: what every file of another tool has. Read line by line, as many empty lines would else take very long. */
const structure = /^[^#\r\n]*[^\s#:]\s*:(?:\s|$)|^[^\S\r\n]*(?:-\s|[[{])/m

const isMereText = (text: string) => /^[^\S\r\n]*[^\s#]/m.test(text) && !structure.test(text)

/** What is left of a document that did not arrive whole: nothing, or brackets alone. */
const isBare = (text: string) => /^[\s{}[\]]*$/.test(text)

/** JSON whose end did not arrive. The files of other tools may have comments, and commas after the last entry. */
const isCutJson = (text: string) => parseJson(text) === undefined && parseJson(withoutExtras(text)) === undefined

const withoutExtras = (text: string) =>
  text
    .replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|\/\/[^\n]*|\/\*.*?(?:\*\/|$)/gs, (part) => (part.startsWith('"') ? part : ''))
    .replace(/,(?=\s*[}\]])/g, '')

/** Files of other tools that often say nothing. */
const manifest = /(?:^|[\\/])(?:package(?:-lock)?|[jt]sconfig(?:\.[\w-]+)*|composer|deno|vercel|renovate|turbo)\.json$/i

/** A plan that `plan --out` saved. */
const plan = /^\s*\{\s*"vatom_plan"/

const ownEnding = /\.(?:variation|faces|actions)\.(?:ya?ml|json)$/i

/**
 * Whether a file holds documents of a publisher: the user named it, it says so, or it looks so. Files of other tools that
 * stand in the same folder do not. What cannot be decided is taken for ours, so that its problem is reported: also a mere
 * text, which stands where a document has not arrived, such as a pointer of Git LFS or the target of a link, and what is
 * left of a document that was cut.
 */
function isOurs({ file, named }: InputFile, bytes: Uint8Array | string): boolean {
  if (named || typeof bytes === 'string' || ownEnding.test(file)) return true
  const text = latin1(bytes).replace(/^\xef\xbb\xbf/, '')
  return !plan.test(text) && (hasSign(text) || isMereText(text) || text.includes('\0') || isRemainder(file, text))
}

/** What a file is: one that cannot be read, or not to its end, is taken for ours, so that its problem is reported. */
async function standingOf(
  input: InputFile,
  bytes: Uint8Array | string,
  options: ReadOptions,
): Promise<'ours' | 'stray' | 'plan' | 'foreign'> {
  if (isOurs(input, bytes) || typeof bytes === 'string') return 'ours'
  const text = latin1(bytes)
  if (plan.test(text)) return 'plan'
  // To find the top of YAML in braces takes seconds.
  if (isLarge(bytes) && openingBrace.test(text) && !isJson(input.file)) return 'stray'
  if (isLarge(bytes)) return standingOfLarge(input, { hasLineSign, isSigned }, options)
  const remains = await remainsOf(input.file, text)
  return remains === 'broken' ? 'ours' : remains
}

const isLarge = (bytes: Uint8Array | string) => bytes.length > limits.file

/** A file above the limit is not read to its end. */
const isRemainder = (file: string, text: string) =>
  isBare(text) ? !manifest.test(file) : isJson(file) && text.length <= limits.file && isCutJson(text)

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const saysOurs = (bytes: Uint8Array | string) => typeof bytes === 'string' || hasSign(latin1(bytes))

/** Files that were read. */
export interface Ours<T> {
  /** What was made of each that holds documents of a publisher. */
  readonly ours: T[]
  /** The others. */
  readonly foreign: string[]
  /** The warnings of those of them that may have come in the place of documents. */
  readonly stray: Problem[]
  /** Those of them that are saved plans. */
  readonly plans: string[]
  /** Whether each file could be read. */
  readonly isRead: boolean
}

/** Why a file of ours is not read as documents, although it could be; undefined if it is. */
function whyNot({ isOutside, named }: InputFile, read: Uint8Array | string): string | undefined {
  if (isOutside && !saysOurs(read)) return outside
  return named && typeof read !== 'string' && plan.test(latin1(read)) ? savedPlan : undefined
}

const savedPlan = 'is a saved plan, which is given as a file: vatom apply FILE; to read it: vatom plan show FILE'

/** Reads files one by one and makes something of each that holds documents of a publisher. */
export async function readOurs<T>(
  inputs: readonly InputFile[],
  options: ReadOptions,
  make: (input: InputFile, bytes: Uint8Array | string) => T | Promise<T>,
): Promise<Ours<T>> {
  const ours: T[] = []
  const foreign: string[] = []
  const stray: Problem[] = []
  const plans: string[] = []
  let isRead = true
  const pause = interruptible(options)
  for (const input of inputs) {
    await pause()
    const read = await readInput(input, options)
    const standing = await standingOf(input, read, options)
    const reason = standing === 'ours' ? whyNot(input, read) : undefined
    isRead &&= typeof read !== 'string' && reason === undefined
    if (standing === 'ours') ours.push(await make(input, reason ?? read))
    else foreign.push(input.file)
    if (standing === 'stray') stray.push(isLarge(read) ? unsearchedProblem(input.file) : strayProblem(input.file))
    if (standing === 'plan') plans.push(input.file)
  }
  return { ours, foreign, stray, plans, isRead }
}

/** Options for documents: without the rules of whole catalogs, if one of their files could not be read. */
export const ifRead = <O extends Pick<CheckOptions, 'ifWhole'>>(options: O, isRead: boolean): O =>
  isRead ? options : { ...options, ifWhole: [] }

/** Whether a file without documents was meant to describe a catalog. */
export const isMisnamed = (file: string): boolean =>
  basename(file) !== projectFileName && /^vatom\.ya?ml$/i.test(basename(file))

/** The problems of files that were meant to describe a catalog, and that nobody would read. */
export const misnamedProblems = (foreign: readonly string[]): Problem[] =>
  foreign
    .filter(isMisnamed)
    .map((file) =>
      inputProblem(file, 'input', 'does not describe the catalog by this name', `rename it to ${projectFileName}`),
    )

/** The problem of folders in which no file holds documents: all are of other tools, or saved plans. */
export function noneProblems({ foreign, plans }: Pick<Ours<unknown>, 'foreign' | 'plans'>, ours: number): Problem[] {
  const [first, ...more] = foreign
  const [saved] = plans
  if (first === undefined || ours > 0) return []
  if (saved !== undefined)
    return [
      inputProblem(
        saved,
        'no-document',
        'is a saved plan, and no document',
        `to carry it out: vatom apply ${saved}; to read it: vatom plan show ${saved}`,
      ),
    ]
  return [
    inputProblem(
      first,
      'no-document',
      more.length === 0
        ? 'holds no document of a publisher'
        : `and ${more.length} more hold no document of a publisher`,
      'a file that is named itself is checked in any case',
    ),
  ]
}
