import { kindOf } from '../kinds/kinds.ts'
import { limits } from '../limits.ts'
import { word } from '../schema/issues.ts'
import { at, isObject, listAt, type Path } from '../schema/path.ts'
import { suggest } from '../schema/suggest.ts'
import {
  actionInfix,
  definedFolder,
  discoverContainer,
  type KindName,
  localReactors,
  nativeFaces,
  oldPlatformScheme,
  platformReactors,
  platformScheme,
  publisherPlaceholder,
  vatomTypeKey,
} from '../values.ts'
import { flatPrice } from '../vatom/overlay.ts'
import type { Facts, Finding } from './rule.ts'

/** Where the built-in properties stand in a template or a variation. */
export const vatomType = ['vatom', vatomTypeKey] as const
const nothing: readonly Finding[] = []

/** A name begins with the publisher's domain name and `::`, and something follows. Spec 2.2. */
export function publisherName(document: unknown, { publisher }: Facts, kind: KindName): readonly Finding[] {
  const key = kindOf(kind).nameKey
  const name = at(document, key)
  if (typeof name !== 'string') return nothing
  if (/^[^:]*::$/.test(name)) return [{ path: [key], message: `${name} has nothing after ::` }]
  if (name.startsWith(`${publisherPlaceholder}::`)) return nothing
  const example = `${publisher ?? publisherPlaceholder}::${name.split('::').slice(1).join('::') || name}`
  if (publisher !== undefined && !name.startsWith(`${publisher}::`))
    return [
      {
        path: [key],
        message: `the name must begin with ${publisher}::`,
        hint: `write ${example}; in a file, ${publisherPlaceholder}:: stands for your own domain`,
      },
    ]
  if (!/^[^:]+::/.test(name))
    return [
      { path: [key], message: 'the name must begin with the publisher domain name and ::', hint: `write ${example}` },
    ]
  return nothing
}

/** An action is named after its template: `<template>::Action::<Name>`. */
export function actionName(document: unknown): readonly Finding[] {
  const name = at(document, 'name')
  if (typeof name !== 'string') return nothing
  const [template, action, ...rest] = name.split(actionInfix)
  if (template && action && rest.length === 0 && !action.includes(':')) return nothing
  const meant = name.replace(/::action::/i, actionInfix)
  const hint =
    meant === name
      ? `write <template>${actionInfix}<Name>, such as acme::Coupon::v1${actionInfix}Transfer`
      : `write ${meant}`
  const fix = meant !== name && { fix: { value: meant } }
  return [{ path: ['name'], message: `${name} is not the name of an action`, hint, ...fix }]
}

const knownReactors = [...platformReactors, ...localReactors]

/** A reactor with the platform's scheme, or the one it had before, is one the platform has. */
export function platformReactor(document: unknown): readonly Finding[] {
  const reactor = at(document, 'reactor')
  if (typeof reactor !== 'string') return nothing
  const meant = reactor.replace(oldPlatformScheme, platformScheme)
  if (!meant.startsWith(platformScheme) || isOneOf(platformReactors, reactor)) return nothing
  if (isOneOf(localReactors, reactor))
    return [{ path: ['reactor'], message: `only a local service, vatom serve, is known to carry out ${reactor}` }]
  const message = `the platform is not known to have a reactor ${reactor}`
  if (isOneOf(knownReactors, meant))
    return [{ path: ['reactor'], message, hint: `write ${meant}`, fix: { value: meant } }]
  return [{ path: ['reactor'], message, hint: nearest(meant, knownReactors) }]
}

const isOneOf = (names: readonly string[], name: string) => names.includes(name)
const tail = (address: string) => address.slice(address.lastIndexOf('/') + 1)
/** The address whose last part is nearest, else all of them: what comes before is alike in each. */
function nearest(address: string, known: readonly string[]): string {
  const near = suggest(tail(address), known.map(tail))
  const found = known.find((one) => tail(one) === near)
  return found === undefined ? `known ones: ${known.join(', ')}` : `did you mean ${found}?`
}

/** A template name says its version. Spec 9. */
export function versionedName(document: unknown): readonly Finding[] {
  const name = at(document, 'template')
  if (typeof name !== 'string' || /::v\d+$/.test(name)) return nothing
  const hint = `published templates are final, so the next one needs a new name: ${name}::v1`
  return [{ path: ['template'], message: 'the name carries no version', hint }]
}

/** `commerce` may be left out only where `redeemable` is not true. Spec 2.4. */
export function redeemableCommerce(document: unknown): readonly Finding[] {
  if (at(document, ...vatomType, 'redeemable') !== true || at(document, ...vatomType, 'commerce') !== undefined)
    return nothing
  return [
    {
      path: [...vatomType, 'redeemable'],
      message: 'a redeemable vAtom needs commerce',
      hint: 'add commerce with its pricing, or commerce: {} for terms agreed elsewhere',
    },
  ]
}

/** Names within a list are unique. Spec 2.4, 2.5: a variation and a face refer to entries by name. */
export const uniqueNames = (list: 'states' | 'resources') => (document: unknown) => {
  const seen = new Set<string>()
  return listAt(document, ...vatomType, list).flatMap((entry, index): Finding[] => {
    const name = at(entry, 'name')
    if (typeof name !== 'string') return []
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    const path = [...vatomType, list, index, 'name']
    return [{ path, message: `${name} is there already: names in ${list} are unique` }]
  })
}

/** The JSON text of what is kept with every vAtom, or answered with it, is bounded, and so are pages of them. */
export function boundedSize(document: unknown, _facts: Facts, kind: KindName): readonly Finding[] {
  if (kind === 'face' || kind === 'action') return larger(document, [], limits.section)
  return [
    ...larger(at(document, 'vatom'), ['vatom'], limits.section),
    ...larger(at(document, 'eth'), ['eth'], limits.eth),
    ...larger(at(document, 'eos'), ['eos'], limits.eth),
  ]
}

function larger(value: unknown, path: Path, most: number): readonly Finding[] {
  const text = JSON.stringify(value) ?? ''
  if (text.length * 3 <= most) return nothing
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= most) return nothing
  const hint = 'keep large content at a URL, and write that in its place'
  return [{ path, message: `must have at most ${most} bytes as JSON, not ${bytes}`, hint }]
}

const onlyIn = (field: string, rootType: string) => (document: unknown) => {
  const declared = at(document, ...vatomType, 'root_type')
  if (at(document, ...vatomType, field) === undefined || declared === undefined || declared === rootType) return nothing
  return [{ path: [...vatomType, field], message: `${field} belongs only to a vAtom of root_type ${rootType}` }]
}
/** `query` stands only in a discover container. Spec 2.4. */
export const queryContainer = onlyIn('query', discoverContainer)
/** `child_policy` stands only in a defined folder. Spec 2.4. */
export const childPolicyContainer = onlyIn('child_policy', definedFolder)

const inEntries = (list: string, field: string, find: (value: unknown) => Omit<Finding, 'path'> | undefined) =>
  function check(document: unknown): readonly Finding[] {
    return listAt(document, ...vatomType, list).flatMap((entry, index) => {
      const found = find(at(entry, field))
      const path: Path = [...vatomType, list, index, field]
      return found ? [{ path, ...found }] : []
    })
  }

/** `on_state_change` has no effect. Spec 2.4. */
export const stateChange = inEntries('states', 'on_state_change', (value) =>
  value === undefined
    ? undefined
    : { message: 'on_state_change has no effect: the platform does not implement it yet' },
)

/** Resource types begin with `ResourceType::`. Spec 2.4. */
export const resourceTypePrefix = inEntries('resources', 'resourceType', (value) =>
  typeof value === 'string' && value.startsWith('ResourceTypes::')
    ? oldSpelling(value.replace('ResourceTypes', 'ResourceType'))
    : undefined,
)
const oldSpelling = (meant: string): Omit<Finding, 'path'> => ({
  message: 'ResourceTypes:: is an old spelling',
  hint: `write ${meant}`,
  fix: { value: meant },
})

/** A resource that is a URL has one that iOS can read: it leaves the others out. */
export function resourceUrl(document: unknown): readonly Finding[] {
  return listAt(document, ...vatomType, 'resources').flatMap((entry, index): Finding[] => {
    const url = at(entry, 'value', 'value')
    if (at(entry, 'value', 'resourceValueType') !== 'ResourceValueType::URI' || typeof url !== 'string') return []
    if (isUrl(url)) return []
    const message =
      url === '' ? 'the URL is empty: iOS leaves the resource out' : `${word(url)} is no URL that iOS reads`
    return [{ path: [...vatomType, 'resources', index, 'value', 'value'], message, hint: 'write https://…' }]
  })
}

/** Whether a text is an absolute URL without a character that must be percent-encoded. */
function isUrl(text: string): boolean {
  if (/[\s<>"{}|\\^`]|[^\u0020-\u007e]|%(?![\da-f]{2})/i.test(text)) return false
  return /^[a-z][a-z0-9+.-]*:\S/i.test(text) && URL.canParse(text)
}

/** A price is valid on some day: `valid_from` is not after `valid_through`. Spec 2.4. */
export function validity(document: unknown): readonly Finding[] {
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

/** A native face has no package of its own: its package_url is its display_url, or ".". Spec 4.5. */
export function nativePackage(document: unknown): readonly Finding[] {
  const url = at(document, 'display_url')
  const packageUrl = at(document, 'package_url')
  if (typeof url !== 'string' || !url.startsWith('native://') || typeof packageUrl !== 'string') return nothing
  if (packageUrl === url || packageUrl === '.') return nothing
  return [
    {
      path: ['package_url'],
      message: `a native face has no package: its package_url is ${url} again, not ${word(packageUrl)}`,
      hint: `write ${url}`,
      fix: { value: url },
    },
  ]
}

/** A native face that viewers do not bring along must be registered by them. Spec 4.5. */
export function nativeFace(document: unknown): readonly Finding[] {
  const url = at(document, 'display_url')
  if (typeof url !== 'string' || !url.startsWith('native://') || isOneOf(nativeFaces, url)) return nothing
  return [
    {
      path: ['display_url'],
      message: `${url} is shown only by viewers that register it`,
      hint: nearest(url, nativeFaces),
    },
  ]
}

/** The specification knows no `eos` section, which publishers of old wrote beside `eth`. */
export function eosUnspecified(document: unknown): readonly Finding[] {
  if (!isObject(at(document, 'eos'))) return nothing
  return [{ path: ['eos'], message: 'the specification knows no eos section: it is kept, and written to no chain' }]
}
