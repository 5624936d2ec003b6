import { createHash } from 'node:crypto'

/** Characters of the beginning of a file's name; endings and file systems need some, too. */
const longest = 80
/** Names that Windows keeps for devices, whatever their ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/

/**
 * What the names of files begin with, for each of some templates: `free-coffee` for `acme.com::FreeCoffee::v1`. They are
 * apart in file systems without case, too. Of templates that come to the same, the first by name has it and the others
 * have something of their own behind it, so that it is never left over with what another template says.
 */
export function fileNames(templates: readonly string[]): Map<string, string> {
  const taken = new Set<string>()
  const names = [...new Set(templates)].sort().map((template): [string, string] => {
    const plain = plainName(template)
    const name = taken.has(plain) ? `${plain}.${fingerprint(template)}` : plain
    taken.add(name)
    return [template, name]
  })
  return new Map(names)
}

/** A template's name without publisher and first version, in lower case, its words joined by `-`. */
function plainName(template: string): string {
  const [, stem = template, version = '1'] = /^(.*?)(?:::v(\d{1,9}))?$/s.exec(template) ?? []
  const words = stem
    .slice(stem.indexOf('::') + 1)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, longest)
    .replace(/-$/, '')
  const name = words === '' || reserved.test(words) ? `template-${words}`.replace(/-$/, '') : words
  return version === '1' ? name : `${name}.v${version}`
}

const fingerprint = (template: string) => createHash('sha256').update(template).digest('hex').slice(0, 12)
