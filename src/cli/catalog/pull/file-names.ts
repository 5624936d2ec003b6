import { createHash } from 'node:crypto'
import { composed } from '../../../contract/schema/composed.ts'

/** Longest beginning of a file's name, in bytes: file systems take 255, and endings need room, too. */
const longest = 80
/** Names that Windows reserves for devices, with any ending, and that of the project file. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d|vatom)$/

/**
 * The beginning of the file names for each template: `free-coffee` for `acme.com::FreeCoffee::v1`. They differ also in
 * file systems that ignore case, or that write letters with accents in another form. If several templates get the same one, the first by name keeps it, and the others get
 * a fingerprint of their name appended, so that it does not depend on other templates.
 */
export function fileNames(templates: readonly string[]): Map<string, string> {
  const taken = new Set<string>()
  const names = [...new Set(templates)].sort().map((template): [string, string] => {
    const plain = plainName(template)
    const name = taken.has(caseless(plain)) ? `${plain}.${fingerprint(template)}` : plain
    taken.add(caseless(name))
    return [template, name]
  })
  return new Map(names)
}

/** What is the same in two names that a file system may hold to be one: `ß` is `SS` in capitals. */
const caseless = (name: string): string => name.toUpperCase().normalize('NFC')

/** A template's name without publisher and first version, in lower case, its words, of any script, joined by `-`. */
export function plainName(template: string): string {
  const { stem, version } = versionOf(template)
  const words = composed(stem.slice(stem.indexOf('::') + 1))
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1-$2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
  const short = cut(words).replace(/-$/, '')
  const name = short === '' || reserved.test(short) ? `template-${short}`.replace(/-$/, '') : short
  return version === 1 ? name : `${name}.v${version}`
}

/** The beginning of a text that is no longer than a file's name may be: whole letters, each with its accents. */
function cut(text: string): string {
  let bytes = 0
  let end = 0
  for (const letter of text.match(/.\p{M}*/gsu) ?? []) {
    bytes += Buffer.byteLength(letter)
    if (bytes > longest) break
    end += letter.length
  }
  return text.slice(0, end)
}

/** A template's name without its version, and the version; 1 for a name without one. Spec 9. */
export function versionOf(template: string): { readonly stem: string; readonly version: number } {
  const [, stem = template, version = '1'] = /^(.*?)(?:::v(\d{1,9}))?$/s.exec(template) ?? []
  return { stem, version: Number(version) }
}

const fingerprint = (template: string) => createHash('sha256').update(template).digest('hex').slice(0, 12)
