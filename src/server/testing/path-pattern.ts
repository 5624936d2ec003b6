/** The path of a URL: without the query, with repeated slashes as one, decoded. */
export const pathOf = (url: string): string => decoded((url.split('?', 1)[0] ?? '').replace(/\/{2,}/g, '/'))

/** Whether a path fits a pattern: one with `*` matches a whole path; one without it the path itself and all paths below it. */
export function isPath(pattern: string, path: string): boolean {
  if (pattern.includes('*')) return isText(pattern, path)
  const above = pattern.endsWith('/') ? pattern : `${pattern}/`
  return path === pattern || path.startsWith(above)
}

/** Whether a text fits a pattern, in which `*` stands for any text. */
export const isText = (pattern: string, text: string): boolean =>
  pattern.includes('*') ? isLike(text, pattern.split('*')) : text === pattern

/** Finds each piece between the stars where it first occurs, so that the time depends on the length of the path alone. */
function isLike(path: string, [first = '', ...pieces]: readonly string[]): boolean {
  const last = pieces.pop() ?? ''
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  let from = first.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return from <= path.length - last.length
}

/** Text of a URL without percent-encoding, or as it is where that is malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
