/** What a JSON text may have at most. */
export interface JsonBounds {
  readonly levels: number
  readonly values: number
  /** The signs outside of strings that count. */
  readonly counted: CountedSigns
}

/** How much deeper it is after each sign, and how many values each announces, by their codes. */
export type CountedSigns = ReadonlyMap<number, readonly [deeper: number, values: number]>

const deeper = { '{': 1, '[': 1, '}': -1, ']': -1, ',': 0, ':': 0 }

/** Signs that count, each of those given as one value. */
export const countedSigns = (announcing: string): CountedSigns =>
  new Map(
    Object.entries(deeper).map(([sign, steps]) => [sign.charCodeAt(0), [steps, announcing.includes(sign) ? 1 : 0]]),
  )

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)

/** What a JSON text has too much of, found without parsing it, in a few milliseconds for a megabyte; undefined if nothing. */
export function excessOf(json: string, { levels, values, counted }: JsonBounds): 'levels' | 'values' | undefined {
  let [depth, found] = [0, 0]
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === quote) index = endOfString(json, index)
    const steps = counted.get(code)
    if (!steps) continue
    depth += steps[0]
    found += steps[1]
    if (depth > levels) return 'levels'
    if (found > values) return 'values'
  }
  return undefined
}

/** Where a string ends that begins at an index: at a quote that has no odd number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}
