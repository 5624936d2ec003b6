/** A text to look for: where it first occurs in another one, from a place on; -1 where it does not. */
export interface Needle {
  readonly length: number
  readonly indexIn: (text: string, from: number) => number
}

/** Characters up to which V8 looks for a text in linear time: of a longer one, it knows by the last of them alone how far to skip. */
const indexed = 250

/** Looks for a text in a time that grows with the length of the other one alone, whatever both are. */
export const needleOf = (wanted: string): Needle =>
  wanted.length > indexed
    ? longNeedle(wanted)
    : { length: wanted.length, indexIn: (text, from) => text.indexOf(wanted, from) }

/** V8 looks for the end of the text. Where that occurs, Knuth, Morris and Pratt look for all of it, at no character anew. */
function longNeedle(wanted: string): Needle {
  const { length } = wanted
  const before = length - indexed
  const end = wanted.slice(before)
  const longer = longerBeginning(wanted)
  return {
    length,
    indexIn: (text, from) => {
      const first = text.indexOf(end, from + before)
      if (first < 0) return -1
      let same = 0
      for (let at = first - before; at < text.length; at++) {
        same = longer(same, text.charCodeAt(at))
        if (same === length) return at + 1 - length
      }
      return -1
    },
  }
}

/** With how many characters of a text another one ends behind one more character, where it ended with so many. */
function longerBeginning(wanted: string): (same: number, code: number) => number {
  const codes = Uint16Array.from({ length: wanted.length }, (_, at) => wanted.charCodeAt(at))
  /** With how many characters a beginning of the text begins and ends, those of all of it not counted. */
  const borders = new Uint16Array(wanted.length)
  const longer = (same: number, code: number): number => {
    let left = same
    while (left > 0 && codes[left] !== code) left = borders[left - 1] ?? 0
    return codes[left] === code ? left + 1 : left
  }
  for (const [at, code] of codes.entries()) if (at > 0) borders[at] = longer(borders[at - 1] ?? 0, code)
  return longer
}
