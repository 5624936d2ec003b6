import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { limits } from '../../contract/limits.ts'
import { isJson } from '../yaml/source.ts'
import type { InputFile } from './inputs.ts'
import type { ReadOptions } from './read.ts'

/** What tells a document of a publisher from other text. */
interface Signs {
  readonly hasLineSign: (text: string) => boolean
  readonly isSigned: (value: unknown) => boolean
}

/**
 * What a file beyond the limit is whose beginning has no sign of a document. One that is not looked through, because it is too
 * large or somewhere else, may have documents: it is `stray`. Throws if the run was interrupted.
 */
export async function standingOfLarge(
  { path, file, isOutside }: InputFile,
  { hasLineSign, isSigned }: Signs,
  { signal, searched = limits.searchedFile }: ReadOptions,
): Promise<'ours' | 'stray' | 'foreign'> {
  try {
    if (path === undefined || isOutside || !(await isSearchable(path, searched))) return 'stray'
    const isOurs = isJson(file)
      ? hasEntry(await readFile(path, { encoding: 'latin1', signal }), isSigned)
      : await hasLine(path, hasLineSign, signal)
    return isOurs ? 'ours' : 'foreign'
  } catch (error) {
    if (signal?.aborted) throw error
    // It could be read to the limit, and is gone or closed now.
    return 'stray'
  }
}

async function isSearchable(path: string, most: number): Promise<boolean> {
  const found = await stat(path)
  return found.isFile() && found.size <= most
}

/** Characters of a line that are looked at once more with what follows it. */
const lineAtMost = 2 ** 16

async function hasLine(
  path: string,
  hasLineSign: Signs['hasLineSign'],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let line = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: limits.file, signal })) {
    const text = line + chunk
    if (hasLineSign(text)) return true
    line = text.slice(text.lastIndexOf('\n') + 1).slice(0, lineAtMost)
  }
  return false
}

/**
 * Whether JSON has a sign at its top, or at that of an entry of its list. It is not parsed, as what is no JSON, as by a comma
 * after the last entry, may be of a publisher as well.
 */
function hasEntry(text: string, isSigned: Signs['isSigned']): boolean {
  const top = /^(?:\xef\xbb\xbf)?\s*\[/.test(text) ? 2 : 1
  let depth = 0
  let [word, key] = ['', '']
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const isTop = depth === top
    if (char === '"') {
      const end = endOfText(text, at)
      word = isTop ? text.slice(at + 1, end) : ''
      at = end
      if (key && isTop && isSigned({ [key]: word })) return true
    } else if (char === ':' && isTop) {
      key = word
      if (isSigned({ [key]: null })) return true
    } else if (char === ',') key = ''
    else if (char === '{' || char === '[') {
      if (key && isTop && isSigned({ [key]: {} })) return true
      depth++
      key = ''
    } else if (char === '}' || char === ']') depth--
  }
  return false
}

/** Where a text in quotes ends. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === '"') return at
  }
  return text.length
}
