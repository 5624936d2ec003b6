import { isObject, type Path } from './path.ts'

/** A text in a value, and where it is. */
interface PlacedText {
  readonly path: Path
  readonly text: string
}

/** All texts in a value of any shape, in their order. */
export function textsIn(value: unknown): PlacedText[] {
  const found: PlacedText[] = []
  // To join a list for each level takes as long as all levels have texts.
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === 'string') found.push({ path, text: value })
    else if (Array.isArray(value)) for (const [index, entry] of value.entries()) walk(entry, [...path, index])
    else if (isObject(value)) for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key])
  }
  walk(value, [])
  return found
}
