import { createHash } from 'node:crypto'

/**
 * The file name, without its ending, for each of some names. They differ also in file systems that ignore case, or that
 * write letters with accents in another form. If several names get the same one, the first of them keeps it, and the others
 * get a fingerprint of their name appended, so that it does not depend on other names.
 */
export function distinctFileNames(names: readonly string[], plainName: (name: string) => string): Map<string, string> {
  const taken = new Set<string>()
  const fileNames = [...new Set(names)].sort().map((name): [string, string] => {
    const fileName = freeName(plainName(name), fingerprint(name), taken)
    taken.add(caseless(fileName))
    return [name, fileName]
  })
  return new Map(fileNames)
}

const freeName = (plain: string, mark: string, taken: ReadonlySet<string>): string =>
  taken.has(caseless(plain)) ? freeName(`${plain}.${mark}`, mark, taken) : plain

/** What is the same in two names that a file system may hold to be one: `ß` and `ẞ` are `SS` in capitals. */
const caseless = (name: string): string => name.toLowerCase().toUpperCase().normalize('NFC')

const fingerprint = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 12)

/** The beginning of a text that is no longer than some bytes: whole letters, each with its accents. */
export function beginning(text: string, longest: number): string {
  let bytes = 0
  let end = 0
  for (const letter of text.match(/.\p{M}*/gsu) ?? []) {
    bytes += Buffer.byteLength(letter)
    if (bytes > longest) break
    end += letter.length
  }
  return text.slice(0, end)
}
