import { createHash } from 'node:crypto'

/** Longest beginning of a file's name, in characters; endings need room, too. */
const longest = 80
/** Names that Windows reserves for devices, with any ending, and that of the project file. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d|vatom)$/

/**
 * The beginning of the file names for each template: `free-coffee` for `acme.com::FreeCoffee::v1`. They differ also in
 * file systems that ignore case. If several templates get the same one, the first by name keeps it, and the others get
 * a fingerprint of their name appended, so that it does not depend on other templates.
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
export function plainName(template: string): string {
  const { stem, version } = versionOf(template)
  const words = stem
    .slice(stem.indexOf('::') + 1)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, longest)
    .replace(/-$/, '')
  const name = words === '' || reserved.test(words) ? `template-${words}`.replace(/-$/, '') : words
  return version === 1 ? name : `${name}.v${version}`
}

/** A template's name without its version, and the version; 1 for a name without one. Spec 9. */
export function versionOf(template: string): { readonly stem: string; readonly version: number } {
  const [, stem = template, version = '1'] = /^(.*?)(?:::v(\d{1,9}))?$/s.exec(template) ?? []
  return { stem, version: Number(version) }
}

const fingerprint = (template: string) => createHash('sha256').update(template).digest('hex').slice(0, 12)
