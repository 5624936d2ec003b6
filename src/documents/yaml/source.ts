import type { Span } from '../load/loaded.ts'

/** A file's text, and the lines and columns of its offsets. */
export interface Source {
  /** As the user named it; `<stdin>` for `-`. */
  readonly file: string
  readonly text: string
  /** The text of which lines are shown; empty where a link leads to it from elsewhere. */
  readonly shown: string
  /** Lines and columns of a range of offsets; columns count UTF-16 units, as editors do. */
  readonly span: (start: number, end: number) => Span
}

/** Whether a file is strict JSON, by its name. */
export const isJson = (file: string): boolean => file.toLowerCase().endsWith('.json')

/** A source; lines are counted when the first place is asked for. */
export function sourceOf(file: string, text: string, shown = text): Source {
  let starts: readonly number[] | undefined
  const place = (offset: number) => {
    starts ??= lineStarts(text)
    const line = lastUpTo(starts, offset) + 1
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
  return {
    file,
    text,
    shown,
    span: (start, end) => {
      const from = place(start)
      const to = place(Math.max(start, end))
      return { ...from, endLine: to.line, endColumn: to.column }
    },
  }
}

/** The offset of the beginning of the line that an offset is in. */
export const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1

/** Where the document is that an offset is in: between the lines that begin with `---` or `...`. */
export function documentAt(text: string, offset: number): readonly [start: number, end: number] {
  let start = lineStart(text, offset)
  while (start > 0 && !isMark(text, start)) start = lineStart(text, start - 1)
  let end = text.indexOf('\n', offset)
  while (end >= 0 && !isMark(text, end + 1)) end = text.indexOf('\n', end + 1)
  return [start, end < 0 ? text.length : end]
}

const isMark = (text: string, at: number) => text.startsWith('---', at) || text.startsWith('...', at)

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Index of the last of ascending numbers that is not above another; 0 where all are. */
export function lastUpTo(ascending: readonly number[], most: number): number {
  let low = 0
  let high = ascending.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= most) low = middle
    else high = middle
  }
  return low
}

/** Whether a text is what `curl` stores of a download that was refused: `404: Not Found`. Other tools have texts by status, in quotes. */
export const isStatusLine = (text: string): boolean => /^[45]\d\d\s*:\s*[^\s"'{[][^\n]*$/.test(text.trim())
