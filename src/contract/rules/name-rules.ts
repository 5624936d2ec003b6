import { kindOf } from '../kinds/kinds.ts'
import { composed } from '../schema/composed.ts'
import { at, type Path } from '../schema/path.ts'
import { actionInfix, type KindName, kinds, publisherPlaceholder } from '../values.ts'
import { childPolicy } from '../vatom/child-policy.ts'
import { childrenOf } from './catalog.ts'
import { foreignChildren, ownChildrenHint } from './foreign-children.ts'
import { type Finding, nothing, type Rule } from './rule.ts'
import { misquoted, unquoted } from './typographic-quotes.ts'

/**
 * A name without another publisher's; in `Coffee::v1` and `Coffee::Action::Drop` there is none, which what is behind the
 * first part shows.
 */
function withoutPublisher(name: string): string {
  const [first, ...rest] = name.split('::')
  const isPublisher = rest.length > 0 && (!first || first.includes('.') || !/^(v\d+|Action)$/i.test(rest[0] ?? ''))
  return isPublisher ? rest.join('::') : name
}

/** A name whose first parts are joined by one colon, as it is meant: `acme::Coffee::v1` for `acme:Coffee:v1`. */
const withDoubleColons = (name: string): string => (/^[^:]*:(?!:)/.test(name) ? name.replace(/:+/g, '::') : name)

/**
 * A name behind a placeholder that no `::` follows, with `::` for dots and slashes: `A::v1` for `$publisher.A.v1`, for
 * `$publisherA::v1`, and for `$publishers::A::v1`, whose letter is a slip. Empty where nothing is behind the placeholder.
 */
function behindPlaceholder(name: string): string | undefined {
  const [, separator, rest] = /^\$(?:publisher|\{publisher\})(?!:)([\s./-]*)(.*)$/is.exec(name) ?? []
  if (rest === undefined) return undefined
  const parts = rest.split(/[./:]+/).filter((part) => part.trim() !== '')
  return separator === '' ? withoutPublisher(parts.join('::')) : parts.join('::')
}

/** The hint for a name by what is to stand behind the publisher in it. */
const meantText = (rest: string): string =>
  rest === '' ? `write ${publisherPlaceholder}:: and the name behind it` : `write ${publisherPlaceholder}::${rest}`

/** What is wrong with a name that has the placeholder elsewhere than at its beginning, where it would stay as it is. */
function misplacedPlaceholder(name: string): Omit<Finding, 'path'> | undefined {
  const place = name.search(/(?<!^)\$publisher(?!\w)/)
  if (place < 0) return undefined
  const inside = name.slice(place)
  const rest = behindPlaceholder(inside) ?? inside.replace(/^\$publisher:*/, '')
  return {
    message: `${publisherPlaceholder} is in the middle of the name: it stands for a domain name at the beginning alone`,
    hint: rest === '' ? 'leave it out there' : meantText(withDoubleColons(rest)),
  }
}

/** What follows the first part of a name; empty for a name of one part. */
const behindPublisher = (name: string): string => name.split('::').slice(1).join('::')

/**
 * What follows the publisher in the name of a variation that says only which it is, `Blue`, or that of its template
 * without the version, too, `Coffee::Blue`; undefined for others.
 */
function inTemplate(document: unknown, name: string, publisher = publisherPlaceholder): string | undefined {
  const template = at(document, 'template')
  if (at(document, kindOf('variation').nameKey) !== name || typeof template !== 'string') return undefined
  const rest = behindOneOf([publisher], template)
  if (rest === undefined) return undefined
  const own = behindOneOf(rest.split('::').slice(0, 1), name) ?? name
  return own.includes('::') ? undefined : `${rest}::${own}`
}

/** Whether a name begins with that of its template, which, without its publisher, is of one part: `Coffee::Small`. */
function followsBareTemplate(document: unknown, name: string, own: readonly string[]): boolean {
  const template = at(document, 'template')
  if (typeof template !== 'string') return false
  const bare = behindOneOf(own, withDoubleColons(template)) ?? template
  return bare !== '' && !bare.includes('::') && name.startsWith(`${bare}::`)
}

/** What follows the publisher in a name that begins with one of these; undefined for others. */
function behindOneOf(publishers: readonly string[], name: string): string | undefined {
  const begun = publishers.find((publisher) => name.startsWith(`${publisher}::`))
  return begun === undefined ? undefined : name.slice(begun.length + 2)
}

/** The name of a variation behind that of its template, if it does not begin with that; undefined for others. */
export function variationNameMeant(document: unknown): string | undefined {
  const given = [at(document, 'template_variation'), at(document, 'template')]
  if (!given.every((one) => typeof one === 'string')) return undefined
  const [name = '', template = ''] = given.map(unquoted)
  const [own, whole] = [behindPublisher(name), behindPublisher(template)]
  if (own === '' || whole === '' || own.startsWith(`${whole}::`)) return undefined
  return `${template}::${name.split('::').at(-1)}`
}

/** Whether a name begins with a typographic quote, and so with no domain name: other rules say so, as an error. */
const beginsWithQuote = (name: string): boolean => name !== '' && unquoted(name.charAt(0)) === ''

/** A name without empty parts, and without white space around any of them. */
const tidied = (name: string): string =>
  name
    .split('::')
    .map((part) => part.trim())
    .filter((part, index) => part !== '' || index === 0)
    .join('::')

/** What is wrong with a name that has empty parts, or white space around parts; undefined for others, and for `acme::`. */
function untidy(name: string): Omit<Finding, 'path'> | undefined {
  const meant = tidied(name)
  if (meant === name || /^[^:]*::$/.test(name)) return undefined
  const parts = name.split('::').map((part) => part.trim())
  const isEmpty = parts.includes('', 1)
  return {
    message: isEmpty
      ? `${JSON.stringify(name)} has nothing between or after ::`
      : `${JSON.stringify(name)} has white space around a part, which belongs to the name`,
    hint: `write ${meant}${isEmpty ? ', or what is missing between ::' : ''}; a record that was applied by this name keeps it, and is another one then`,
  }
}

/** What precedes the version of a template's name, and its number: 1 for a name without one. */
function versionedParts(name: string): { readonly stem: string; readonly version: string } {
  const parts = name.split(/:+/)
  const [, letter = '', version] = /^(v?)(\d+)[\d.]*$/i.exec(parts.at(-1) ?? '') ?? []
  // A number alone behind the publisher is the name, not its version.
  const isVersion = version !== undefined && (letter !== '' || parts.length > 2)
  return isVersion ? { stem: parts.slice(0, -1).join('::'), version } : { stem: name, version: '1' }
}

/** The typographic quotes of a field that names a document or its template. */
function quotesIn(document: unknown, key: string): readonly Finding[] {
  const name = at(document, key)
  const found = typeof name === 'string' ? misquoted(name) : undefined
  return found === undefined ? nothing : [{ path: [key], ...found }]
}

/** The fields that name a document and its template. */
function nameKeysOf(kind: KindName): readonly string[] {
  const { nameKey, templateKey } = kindOf(kind)
  return [...new Set([nameKey, templateKey])]
}

/** The places of names in a document: its own, that of its template, and those of its children. */
const namePlaces = (document: unknown, kind: KindName): readonly Path[] => [
  ...nameKeysOf(kind).map((key) => [key]),
  ...childrenOf(document).map(({ index }) => [...childPolicy, index, 'template_variation']),
]

/** Rules of names, in the order they are reported. */
export const nameRules: readonly Rule[] = [
  {
    name: 'publisher-name',
    spec: '2.2',
    kinds: ['template', 'variation', 'action'],
    severity: 'error',
    summary: "a name begins with the publisher's domain name and ::",
    check(document, { publisher }, kind) {
      const key = kindOf(kind).nameKey
      const name = at(document, key)
      if (typeof name !== 'string') return nothing
      // The rule action-name reports it.
      if (kind === 'action' && !name.includes(actionInfix)) return nothing
      if (/^[^:]*::$/.test(name)) return [{ path: [key], message: `${name} has nothing after ::` }]
      if (beginsWithQuote(name)) return quotesIn(document, key)
      const misplaced = misplacedPlaceholder(name)
      if (misplaced) return [{ path: [key], ...misplaced }]
      if (name.startsWith(`${publisherPlaceholder}::`)) return nothing
      const finding = (message: string, hint: string) => [{ path: [key], message, hint }]
      const joined = withDoubleColons(name)
      const own = [publisherPlaceholder, publisher ?? []].flat()
      const whole = followsBareTemplate(document, joined, own) ? joined : withoutPublisher(joined)
      const rest =
        behindPlaceholder(joined) ?? inTemplate(document, joined, publisher) ?? behindOneOf(own, joined) ?? whole
      const meant = meantText(rest)
      if (publisher !== undefined && !name.startsWith(`${publisher}::`))
        return finding(
          `the name must begin with ${publisher}::`,
          `${meant} in a file: it stands for ${publisher}::${rest}`,
        )
      if (/^[^:]+::/.test(name)) return nothing
      return finding('the name must begin with the publisher domain name and ::', meant)
    },
  },
  {
    name: 'template-publisher',
    spec: '2.2',
    kinds: ['face'],
    severity: 'warning',
    summary: 'a face is of a template of its own publisher: nobody else can register it',
    check(document, { publisher }) {
      const name = at(document, 'template')
      if (publisher === undefined || typeof name !== 'string' || !/^[\w.-]+::/.test(name)) return nothing
      if (name.startsWith(`${publisher}::`)) return nothing
      const message = `${name} is of another publisher than ${publisher}: plan refuses the face`
      const hint = `only the publisher of a template adds faces to it; if ${publisher} is not your publisher domain name: set VATOM_PUBLISHER, or use a session of yours`
      return [{ path: ['template'], message, hint }]
    },
  },
  {
    name: 'child-publisher',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a child_policy names variations of its own publisher: no vAtom is created with those of others',
    check(document, { publisher }) {
      return foreignChildren(document, publisher).map(({ index, name, own }) => ({
        path: [...childPolicy, index, 'template_variation'],
        message: `${name} is of another publisher than ${own}: no vAtom can be emitted that is to contain it`,
        hint: ownChildrenHint(own),
      }))
    },
  },
  {
    name: 'publisher-placeholder',
    spec: '2.2',
    kinds: ['variation', 'face'],
    severity: 'error',
    summary: `the name of a template has no other placeholder than ${publisherPlaceholder}`,
    check(document) {
      const name = at(document, 'template')
      if (typeof name !== 'string') return nothing
      if (beginsWithQuote(name)) return quotesIn(document, 'template')
      const misplaced = misplacedPlaceholder(name)
      if (misplaced) return [{ path: ['template'], ...misplaced }]
      if (!/^[^:]*[${}]/.test(name) || name.startsWith(`${publisherPlaceholder}::`)) return nothing
      const rest = behindPlaceholder(name) ?? withoutPublisher(withDoubleColons(name))
      const hint = `${meantText(rest)}: ${publisherPlaceholder}:: stands for your own domain`
      return [{ path: ['template'], message: `${name.split('::')[0]} is no domain name of a publisher`, hint }]
    },
  },
  {
    name: 'variation-name',
    spec: '2.2',
    kinds: ['variation'],
    severity: 'warning',
    summary: 'the name of a variation begins with the name of its template and ::',
    check(document) {
      const meant = variationNameMeant(document)
      if (meant === undefined) return nothing
      const message = `the name does not begin with that of its template, ${at(document, 'template')}`
      const hint = `write ${meant}: once it is published its name is final, and the next version of its template renames no other`
      return [{ path: ['template_variation'], message, hint }]
    },
  },
  {
    name: 'name-quotes',
    spec: '2.2',
    kinds,
    severity: 'warning',
    summary: 'a name has no typographic quotes, which are a part of it for YAML',
    check(document, _, kind) {
      return nameKeysOf(kind).flatMap((key) => {
        const name = at(document, key)
        return typeof name !== 'string' || beginsWithQuote(name) ? nothing : quotesIn(document, key)
      })
    },
  },
  {
    name: 'name-form',
    spec: '2.2',
    kinds,
    severity: 'warning',
    summary: 'a name has no letter with its accent apart (Unicode NFD): it looks like another name, and is not it',
    fixes: true,
    check(document, _, kind) {
      return namePlaces(document, kind).flatMap((path): Finding[] => {
        const name = at(document, ...path)
        const meant = typeof name === 'string' ? composed(name) : undefined
        if (meant === undefined || meant === name) return []
        const message = `an accent of ${name} is a character of its own: a name that looks the same, as people type it, is another one`
        const hint = `write ${meant} with each letter and its accent as one character (Unicode NFC); a record that was applied by this name keeps it, and is another one then`
        return [{ path, message, hint, fix: { value: meant } }]
      })
    },
  },
  {
    name: 'name-blanks',
    spec: '2.2',
    kinds,
    severity: 'warning',
    summary:
      'no part of a name is empty, or begins or ends with white space: it looks like another name, and is not it',
    check(document, _, kind) {
      return namePlaces(document, kind).flatMap((path) => {
        const name = at(document, ...path)
        const found = typeof name === 'string' ? untidy(name) : undefined
        return found === undefined ? [] : [{ path, ...found }]
      })
    },
  },
  {
    name: 'name-version',
    spec: '9',
    kinds: ['template'],
    severity: 'warning',
    summary: 'a template name ends with its version, ::v1',
    check(document) {
      const name = at(document, 'template')
      if (typeof name !== 'string') return nothing
      const joined = withDoubleColons(tidied(unquoted(name)))
      if (/::v\d+$/.test(joined)) return nothing
      const { stem, version } = versionedParts(joined)
      const hint = `write ${stem}::v${version}: a published template is final, so its next version needs a new name`
      return [{ path: ['template'], message: 'the name has no version', hint }]
    },
  },
]
