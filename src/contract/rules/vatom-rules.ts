import { kindOf } from '../kinds/kinds.ts'
import { limits } from '../limits.ts'
import { parsedUrl } from '../schema/parsed-url.ts'
import { at, isObject, listAt, type Path, repeatedIn } from '../schema/path.ts'
import { word } from '../schema/wording.ts'
import { definedFolder, discoverContainer, vatomType } from '../values.ts'
import { childPolicyFaults, childPolicyIdle } from '../vatom/child-policy.ts'
import { flatPrice } from '../vatom/overlay.ts'
import { addressesIn } from './addresses.ts'
import { isFilePath } from './private-address.ts'
import { queryCost } from './query-cost.ts'
import { queryFields } from './query-fields.ts'
import { type Finding, nothing, type Rule } from './rule.ts'
import { misquoted } from './typographic-quotes.ts'

/** The kind of value that an address is. */
const uri = 'ResourceValueType::URI'

const ofVatoms = { spec: '2.4', kinds: ['template', 'variation'] } as const

/** `commerce` may be left out only where `redeemable` is not true. */
export const redeemableCommerce: Rule = {
  name: 'redeemable-commerce',
  spec: '2.4',
  kinds: ['template'],
  severity: 'error',
  summary: 'a redeemable vAtom has commerce',
  check(document) {
    if (at(document, ...vatomType, 'redeemable') !== true || at(document, ...vatomType, 'commerce') !== undefined)
      return nothing
    return [
      {
        path: [...vatomType, 'redeemable'],
        message: 'a redeemable vAtom needs commerce',
        hint: 'add commerce with its pricing, or commerce: {} for terms agreed elsewhere',
      },
    ]
  },
}

/** Names within a list are unique. Spec 2.4, 2.5: a variation and a face refer to entries by name. */
const uniqueNames = (list: 'states' | 'resources') => (document: unknown) =>
  repeatedIn(listAt(document, ...vatomType, list), 'name').map(({ index, name }) => ({
    path: [...vatomType, list, index, 'name'],
    message: `${name} is there twice: names in ${list} must be unique`,
  }))

function larger(value: unknown, path: Path, most: number): readonly Finding[] {
  const text = JSON.stringify(value) ?? ''
  if (text.length * 3 <= most) return nothing
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= most) return nothing
  const hint = 'put large content at a URL, and write the URL here'
  return [{ path, message: `must have at most ${most} bytes as JSON, not ${bytes}`, hint }]
}

const onlyIn =
  (field: string, rootType: string) =>
  (document: unknown): readonly Finding[] => {
    const declared = at(document, ...vatomType, 'root_type')
    if (at(document, ...vatomType, field) === undefined || declared === undefined || declared === rootType)
      return nothing
    return [
      {
        path: [...vatomType, field],
        part: 'key',
        message: `${field} belongs only to a vAtom of root_type ${rootType}`,
      },
    ]
  }

export const queryContainer: Rule = {
  name: 'query-container',
  ...ofVatoms,
  severity: 'error',
  summary: 'only a discover container has a query',
  check: onlyIn('query', discoverContainer),
}

export const childPolicyContainer: Rule = {
  name: 'child-policy-container',
  ...ofVatoms,
  severity: 'error',
  summary: 'only a defined folder has a child_policy',
  check: onlyIn('child_policy', definedFolder),
}

/** What is wrong with a field of the entries of a list that have it. */
const inEntries =
  (list: string, field: string, find: (value: unknown) => Omit<Finding, 'path'> | undefined) =>
  (document: unknown): readonly Finding[] =>
    listAt(document, ...vatomType, list).flatMap((entry, index) => {
      const value = at(entry, field)
      const found = value === undefined ? undefined : find(value)
      return found ? [{ path: [...vatomType, list, index, field], ...found }] : []
    })

const oldSpelling = (meant: string): Omit<Finding, 'path'> => ({
  message: 'ResourceTypes:: is an old spelling',
  hint: `write ${meant}`,
  fix: { value: meant },
})

/** Whether a text is an absolute URL without a character that must be percent-encoded. */
export function isUrl(text: string): boolean {
  if (/[\s<>"{}|\\^`]|[^\u0020-\u007e]|%(?![\da-f]{2})/i.test(text)) return false
  return /^[a-z][a-z0-9+.-]*:\S/i.test(text) && parsedUrl(text) !== undefined
}

/** What stands for something else in an address, and must not be encoded: a variable, or a part of a template. */
const placeholder = /[<>{}|\\^`"]|\$\w|%(?![\da-f]{2})/i

/** How to correct a text that is a URL but for spaces and letters that a URL cannot have. */
function encoded(text: string): Pick<Finding, 'hint' | 'fix'> {
  const meant = (/^https?:\/\/\S/i.test(text) && !placeholder.test(text) && parsedUrl(text)?.href) || ''
  return isUrl(meant) ? { hint: `write ${meant}`, fix: { value: meant } } : { hint: 'write https://…' }
}

/** A price is valid on some day: `valid_from` is not after `valid_through`. Spec 2.4. */
export function unreachableValidity(document: unknown): readonly Finding[] {
  const value = at(document, ...vatomType, 'commerce', 'pricing', 'value')
  const { valid_from: from, valid_through: through } = { ...(flatPrice(value) as object) } as Record<string, unknown>
  const first = instant(from, 'T00:00:00Z')
  const last = instant(through, 'T23:59:59Z')
  if (first === undefined || last === undefined || first <= last) return nothing
  const nested = at(value, 'value', 'valid_through') === undefined ? [] : ['value']
  return [
    {
      path: [...vatomType, 'commerce', 'pricing', 'value', ...nested, 'valid_through'],
      message: `the price is never valid: it ends ${String(through)}, before it begins ${String(from)}`,
    },
  ]
}

/** Milliseconds of a day or instant; a day counts from, or up to, the time of day given. */
export function instant(value: unknown, time: string): number | undefined {
  if (typeof value !== 'string' || value === '*') return undefined
  const found = Date.parse(/^\d{4}-\d\d-\d\d$/.test(value) ? value + time : value)
  return Number.isNaN(found) ? undefined : found
}

/** Rules of templates and variations, and of the size of any document, in the order they are reported. */
export const vatomRules: readonly Rule[] = [
  redeemableCommerce,
  {
    name: 'unique-states',
    ...ofVatoms,
    severity: 'error',
    summary: 'names in states are unique',
    check: uniqueNames('states'),
  },
  {
    name: 'unique-resources',
    ...ofVatoms,
    severity: 'error',
    summary: 'names in resources are unique',
    check: uniqueNames('resources'),
  },
  {
    name: 'size',
    spec: '2.4',
    kinds: ['template', 'variation', 'face', 'action'],
    isBound: true,
    severity: 'error',
    summary: `a vatom section, a face or an action has at most ${limits.section / 1024} KiB as JSON, an eth or eos section ${limits.eth / 1024} KiB`,
    check: (document, _facts, kind) =>
      kindOf(kind).bounded.flatMap(({ path, bytes }) => larger(at(document, ...path), path, bytes)),
  },
  queryContainer,
  queryFields,
  queryCost,
  childPolicyContainer,
  {
    name: 'child-policy',
    ...ofVatoms,
    severity: 'error',
    summary: 'a child_policy has one entry for each variation, and its counts do not contradict each other',
    check: childPolicyFaults,
  },
  {
    name: 'child-policy-enforced',
    ...ofVatoms,
    severity: 'warning',
    summary: 'a bound on the number of children is enforced: otherwise it has no effect',
    check: childPolicyIdle,
  },
  {
    name: 'state-change-ignored',
    ...ofVatoms,
    severity: 'warning',
    summary: 'on_state_change is not implemented by the platform',
    check: inEntries('states', 'on_state_change', () => ({
      message: 'on_state_change has no effect: the platform does not implement it yet',
    })),
  },
  {
    name: 'resource-value-type',
    ...ofVatoms,
    severity: 'warning',
    summary: 'the kind of an address is written ResourceValueType::URI',
    check: (document) =>
      listAt(document, ...vatomType, 'resources').flatMap((resource, index): Finding[] => {
        const type = at(resource, 'value', 'resourceValueType')
        if (typeof type !== 'string' || type === uri || !/^ResourceValueType::UR.?$/i.test(type)) return []
        const path = [...vatomType, 'resources', index, 'value', 'resourceValueType']
        return [{ path, message: `${word(type)} is no kind of value that viewers know`, hint: `write ${uri}` }]
      }),
  },
  {
    name: 'resource-type-prefix',
    ...ofVatoms,
    severity: 'warning',
    summary: 'a resource type begins with ResourceType::',
    fixes: true,
    check: inEntries('resources', 'resourceType', (value) =>
      typeof value === 'string' && value.startsWith('ResourceTypes::')
        ? oldSpelling(value.replace('ResourceTypes', 'ResourceType'))
        : undefined,
    ),
  },
  {
    name: 'resource-url',
    ...ofVatoms,
    severity: 'warning',
    summary: 'a resource has a URL that iOS can read: iOS leaves out other resources',
    fixes: 'characters that a URL cannot have, such as é',
    check(document) {
      return addressesIn(document).flatMap(({ path, url, resource }): Finding[] => {
        if (at(resource, 'value', 'resourceValueType') !== uri || typeof url !== 'string') return []
        // Of the path of a file another rule says more.
        if (isUrl(url) || isFilePath(resource)) return []
        const quotes = misquoted(url)
        if (quotes !== undefined) return [{ path, ...quotes }]
        const message =
          url === '' ? 'the URL is empty: iOS leaves the resource out' : `iOS cannot read the URL ${word(url)}`
        return [{ path, message, ...encoded(url) }]
      })
    },
  },
  {
    name: 'validity',
    ...ofVatoms,
    severity: 'warning',
    summary: 'a price is valid on at least one day: valid_from is not after valid_through',
    check: unreachableValidity,
  },
  {
    name: 'eos-unspecified',
    spec: '2.2',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'an eos section is stored, but not written to a chain',
    check(document) {
      const message = 'the specification has no eos section: it is stored, but not written to a chain'
      return isObject(at(document, 'eos')) ? [{ path: ['eos'], message }] : nothing
    },
  },
]
