import { kindOf } from '../kinds/kinds.ts'
import { type Path, printPath } from '../schema/path.ts'
import { textsIn } from '../schema/texts-in.ts'
import { kinds, publisherPlaceholder } from '../values.ts'
import { addressesIn } from './addresses.ts'
import type { Finding, Rule } from './rule.ts'

/** Texts in which `$publisher` stays as it is: people would see it. */
export const publisherText: Rule = {
  name: 'publisher-text',
  spec: '2.2',
  kinds,
  severity: 'warning',
  summary: `only names and queries have ${publisherPlaceholder}: it is not replaced in other texts`,
  check(document, _, kind) {
    const { names, queries } = kindOf(kind)
    const addresses = new Set(addressesIn(document).map(({ path }) => printPath(path)))
    // The rules of names, queries and addresses report what is wrong with those.
    // What a document itself has is no text for people: where such a field is misspelt, it may be a name.
    const isOther = (path: Path) =>
      path.length > 1 &&
      !names.some((name) => name.length === path.length && isBelow(path, name)) &&
      !queries.some((query) => isBelow(path, query)) &&
      !addresses.has(printPath(path))
    return textsIn(document).flatMap(({ path, text }) =>
      placeholder.test(text) && isOther(path) ? [findingAt(path)] : [],
    )
  },
}

const findingAt = (path: Path): Finding => ({
  path,
  message: `${publisherPlaceholder} is not replaced in this text, but published as it is`,
  hint: 'it stands for your domain name in names and queries alone: write the domain name here',
})

const placeholder = /\$publisher(?!\w)/

/** Whether a path is at or below the places of a pattern, in which `*` is any entry. */
const isBelow = (path: Path, pattern: Path): boolean =>
  pattern.every((step, index) => path[index] === step || (step === '*' && typeof path[index] === 'number'))
