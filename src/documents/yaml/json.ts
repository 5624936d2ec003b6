import { type Finding, finding } from '../finding.ts'

/** The first syntax error of a JSON text; undefined where there is none. */
export function jsonFinding(text: string): Finding | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return described(text, jsonOffence(text))
  }
}

function described(text: string, offset: number): Finding {
  const hint = hintAt(text, offset)
  const [found] = text.slice(offset, offset + 2)
  return finding(
    'json-syntax',
    found ? `not JSON: ${JSON.stringify(found)} is not expected here` : 'the JSON ends too early',
    {
      range: [offset, offset + (found?.length ?? 0)],
      ...(hint !== undefined && { hint }),
    },
  )
}

function hintAt(text: string, offset: number): string | undefined {
  const found = text.charAt(offset)
  const before = text.slice(Math.max(0, offset - 200), offset).trimEnd()
  if (/[\]}]/.test(found) && before.endsWith(',')) return 'remove the comma after the last entry'
  if (/['/#]/.test(found)) return 'JSON has no comments, and only double quotes'
  return undefined
}

// One token: punctuation, a string, or another value.
const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string holds none
  /([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/uy

type Next = 'value' | 'first value' | 'key' | 'first key' | ':' | 'more' | 'end'

/** The offset at which a text stops being JSON; error messages of Node do not always say it. */
function jsonOffence(text: string): number {
  const open: string[] = []
  let next: Next = 'value'
  for (let offset = blank(text, 0); ; offset = blank(text, token.lastIndex)) {
    token.lastIndex = offset
    const found = token.exec(text)
    const step: Next | undefined | null = found && follow(next, found[1], found[2] !== undefined, open)
    if (!step) return offset
    next = step
  }
}

/** The offset of the next character that is not white space. */
function blank(text: string, from: number): number {
  let offset = from
  while (' \t\r\n'.includes(text.charAt(offset)) && offset < text.length) offset++
  return offset
}

/** What may follow a token; undefined where the token itself is not allowed. */
function follow(next: Next, mark: string | undefined, isString: boolean, open: string[]): Next | undefined {
  const inObject = open.at(-1) === '{'
  if (next === 'value' || next === 'first value') {
    if (mark === '{' || mark === '[') {
      open.push(mark)
      return mark === '{' ? 'first key' : 'first value'
    }
    if (mark === undefined) return after(open)
  }
  if ((next === 'key' || next === 'first key') && isString) return ':'
  if (next === ':' && mark === ':') return 'value'
  if (next === 'more' && mark === ',') return inObject ? 'key' : 'value'
  const closing = inObject ? '}' : ']'
  const mayClose = next === 'more' || next === 'first key' || next === 'first value'
  return mayClose && mark === closing && open.pop() ? after(open) : undefined
}

const after = (open: readonly string[]): Next => (open.length ? 'more' : 'end')
