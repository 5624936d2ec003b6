import { composed } from '../../../contract/schema/composed.ts'
import { beginning, distinctFileNames } from '../../io/distinct-file-names.ts'
import { versionOf } from '../versions.ts'

/** Longest beginning of a file's name, in bytes: file systems take 255, and endings need room, too. */
const longest = 80
/** Names that Windows reserves for devices, with any ending, and that of the project file. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d|vatom)$/

/** The beginning of the file names for each template: `free-coffee` for `acme.com::FreeCoffee::v1`. */
export const fileNames = (templates: readonly string[]): Map<string, string> => distinctFileNames(templates, plainName)

/** A template's name without publisher and first version, in lower case, its words, of any script, joined by `-`. */
function plainName(template: string): string {
  const { stem, version } = versionOf(template)
  const words = composed(stem.slice(stem.indexOf('::') + 1))
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1-$2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
  const short = beginning(words, longest).replace(/-$/, '')
  const name = short === '' || reserved.test(short) ? `template-${short}`.replace(/-$/, '') : short
  return version === 1 ? name : `${name}.v${version}`
}
