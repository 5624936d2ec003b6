import { type Finding, finding } from './finding.ts'

/** What makes a text no JSON, at its place; undefined where it is JSON. */
export function jsonFinding(text: string): Finding | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return describe(text, error instanceof Error ? error.message : String(error))
  }
}

function describe(text: string, said: string): Finding {
  const position = / at position (\d+)/.exec(said)?.[1]
  const offset = position === undefined ? lastPlace(text) : Number(position)
  if (position === undefined && /end of JSON/.test(said)) return at(text, offset, 'the file ends too early')
  const found = text.slice(offset, offset + 1)
  return at(text, offset, found ? `${JSON.stringify(found)} is out of place here` : 'the file ends too early')
}

const lastPlace = (text: string) => Math.max(0, text.trimEnd().length - 1)

function at(text: string, offset: number, message: string): Finding {
  const before = text.slice(0, offset).trimEnd()
  const trailing = before.endsWith(',') && /[\]}]/.test(text.charAt(offset))
  const hint = trailing
    ? 'JSON has no comma after the last entry'
    : /['/#]/.test(text.charAt(offset))
      ? 'JSON has no comments, and only double quotes'
      : undefined
  return finding('json-syntax', `not JSON: ${message}`, {
    range: [offset, Math.min(offset + 1, text.length)],
    ...(hint && { hint }),
  })
}
