// One token: a mark, a string, or another value.
const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string holds none
  /([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/uy

type Next = 'value' | 'first value' | 'key' | 'first key' | ':' | 'more' | 'end'

/** Where a text that is no JSON stops being JSON; the platform's error messages tell that only sometimes. */
export function jsonOffence(text: string): number {
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

/** The next offset that is no white space. */
function blank(text: string, from: number): number {
  let offset = from
  while (' \t\r\n'.includes(text.charAt(offset)) && offset < text.length) offset++
  return offset
}

/** What may come after a token, undefined where the token itself may not come. */
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
