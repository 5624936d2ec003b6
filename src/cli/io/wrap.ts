/** Text in lines of at most so many columns, broken between words; a word that is longer stands on a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A term and what it means, side by side: `  term    what it means`, later lines below the first. */
export function defined(term: string, meaning: string, indent: number, columns: number): string[] {
  const [first = '', ...rest] = wrapped(meaning, Math.max(20, columns - indent))
  const head = `  ${term}`.padEnd(indent)
  const tail = rest.map((line) => ' '.repeat(indent) + line)
  if (head.length > indent) return [head.trimEnd(), ...[first, ...rest].map((line) => ' '.repeat(indent) + line)]
  return [`${head}${first}`.trimEnd(), ...tail]
}
