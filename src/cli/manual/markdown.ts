/** A part of a page: the subset of Markdown that the manual is written in. */
export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'item'; readonly marker: string; readonly text: string }
  | { readonly type: 'code'; readonly lines: readonly string[] }
  | { readonly type: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** Text of one style. */
export interface Span {
  readonly text: string
  readonly style: 'plain' | 'bold' | 'code'
}

/** The blocks of a page; comments and pictures are left out. */
export function parseMarkdown(page: string): Block[] {
  const lines = page.replaceAll(/^(<!--.*?-->|!\[[^\]]*\]\([^)]*\))\n/gms, '').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at)
    if (block) blocks.push(block)
    at = next
  }
  return blocks
}

interface Read {
  readonly block?: Block
  /** The index of the line after it. */
  readonly next: number
}

function blockAt(lines: readonly string[], at: number): Read {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { next: at + 1 }
  if (line.startsWith('```')) return codeAt(lines, at)
  if (line.startsWith('|')) return tableAt(lines, at)
  const [, hashes, title] = /^(#+) (.*)/.exec(line) ?? []
  if (hashes && title) return { block: { type: 'heading', level: hashes.length, text: title }, next: at + 1 }
  return textAt(lines, at)
}

function codeAt(lines: readonly string[], at: number): Read {
  const end = lines.indexOf('```', at + 1)
  const next = end < 0 ? lines.length : end
  return { block: { type: 'code', lines: lines.slice(at + 1, next) }, next: next + 1 }
}

function tableAt(lines: readonly string[], at: number): Read {
  const next = endOf(lines, at, (line) => !line.startsWith('|'))
  const [head = [], , ...rows] = lines.slice(at, next).map(cellsOf)
  return { block: { type: 'table', head, rows }, next }
}

const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll(/\\([|<])/g, '$1'))

/** A paragraph or one item of a list: lines up to an empty line or the beginning of another block. */
function textAt(lines: readonly string[], at: number): Read {
  const next = endOf(lines, at + 1, (line) => line.trim() === '' || /^(#+ |```|\||- |\d+\. )/.test(line))
  const text = lines
    .slice(at, next)
    .map((line) => line.trim())
    .join(' ')
  const [, marker, item] = /^(-|\d+\.) (.*)/.exec(text) ?? []
  if (marker && item) return { block: { type: 'item', marker, text: item }, next }
  return { block: { type: 'paragraph', text }, next }
}

function endOf(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = lines.findIndex((line, index) => index >= from && isEnd(line))
  return found < 0 ? lines.length : found
}

/** A text's spans. A link to another page becomes `text (vatom help PAGE)`, one to the web its text and address. */
export function parseSpans(text: string): Span[] {
  const plain = text.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, target: string) => link(label, target))
  return plain.split(/(`[^`]+`|\*\*[^*]+\*\*)/).flatMap((part): Span[] => {
    if (part === '') return []
    if (part.startsWith('`')) return [{ text: part.slice(1, -1), style: 'code' }]
    if (part.startsWith('**')) return [{ text: part.slice(2, -2), style: 'bold' }]
    return [{ text: part, style: 'plain' }]
  })
}

function link(label: string, target: string): string {
  const [, page] = /^(?:.*docs\/)?([\w-]+)\.md(?:#.*)?$/.exec(target) ?? []
  if (page) return `${label} (\`vatom help ${page}\`)`
  if (/^https?:/.test(target) && label !== target) return `${label} (${target})`
  return label
}
