import { type Advice, capped, type Draft, type Issue } from '../schema/issues.ts'
import { lazy } from '../schema/lazy-schema.ts'
import { at, isObject, isSame, isSameType, listAt, type Path } from '../schema/path.ts'
import { didYouMean, nameList } from '../schema/suggest.ts'
import { describe, word } from '../schema/wording.ts'
import { vatomType, vatomTypeKey } from '../values.ts'
import { resolveVatom } from '../vatom/overlay.ts'
import type { Rule, RuleNote } from './rule.ts'
import { childPolicyContainer, queryContainer, redeemableCommerce } from './vatom-rules.ts'

const summaries = {
  'overlay-root-type': 'a variation has the root_type of its template',
  'overlay-states': 'a variation has only states that its template has',
  'overlay-state-change': 'a variation changes only the value of a state',
  'overlay-resources': 'a variation has only resources that its template has',
  'overlay-resource-type': 'a variation overwrites only the value of a resource',
  'overlay-private': 'a variation has only custom fields that its template has',
  'overlay-eth': 'a variation has only eth fields that its template has, of the same type',
  'overlay-eos': 'a variation has only eos fields that its template has, of the same type',
} as const
type OverlayRule = keyof typeof summaries
const privateType = 'overlay-private-type'

/** Rules of a variation and its template. */
export const overlayNotes: readonly RuleNote[] = [
  ...Object.entries(summaries).map(([name, summary]) => ({ name, spec: '2.5', severity: 'error', summary }) as const),
  {
    name: privateType,
    spec: '2.5',
    severity: 'warning',
    summary: 'a custom field of a variation has the type that it has in its template',
  },
]

/**
 * What a variation overwrites though it may not, and what is wrong with the vAtom it makes. Spec 2.5. The template
 * is looked up by the caller and has the shape of a template document: `{vatom, eth, eos}`.
 */
export const overlayIssues = (variation: unknown, template: unknown): Issue[] =>
  capped(overlayDrafts(variation, template), (draft) => draft)

/** The same, errors first, before they are counted and hints are made. */
export const overlayDrafts = (variation: unknown, template: unknown): readonly Draft[] =>
  [
    ...rootTypeIssues(variation, template),
    ...entryIssues(variation, template, 'states'),
    ...entryIssues(variation, template, 'resources'),
    ...privateIssues(at(variation, 'vatom', 'private'), at(template, 'vatom', 'private') ?? {}),
    ...chainIssues(variation, template, 'eth'),
    ...chainIssues(variation, template, 'eos'),
    ...resolvedIssues(variation, template),
  ].sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'))

const overlay = (path: Path, rule: OverlayRule, message: string, hint?: Advice): Draft => ({
  path,
  rule,
  severity: 'error',
  spec: '2.5',
  message,
  hint,
})

/** The same about a field that must not be there, whatever its value. */
const misplaced = (...of: Parameters<typeof overlay>): Draft => ({ ...overlay(...of), part: 'key' })

const among = (value: unknown, names: readonly string[], heading: string) => () =>
  didYouMean(value, names) ?? `${heading}: ${nameList(names)}`

function rootTypeIssues(variation: unknown, template: unknown): Draft[] {
  const own = at(variation, ...vatomType, 'root_type')
  const fixed = at(template, ...vatomType, 'root_type')
  if (own === undefined || own === fixed) return []
  return [overlay([...vatomType, 'root_type'], 'overlay-root-type', `the template fixes root_type to ${word(fixed)}`)]
}

type Entries = ReadonlyMap<string, unknown>

/** Entries of a template's list by name; without a state it has the default Activated one. Spec 2.4. */
function entriesOf(template: unknown, list: 'states' | 'resources'): Entries {
  const entries = new Map<string, unknown>()
  for (const entry of listAt(template, ...vatomType, list)) {
    const name = at(entry, 'name')
    if (typeof name === 'string') entries.set(name, entry)
  }
  return list === 'states' && entries.size === 0 ? new Map([['Activated', {}]]) : entries
}

function entryIssues(variation: unknown, template: unknown, list: 'states' | 'resources'): Draft[] {
  const entries = entriesOf(template, list)
  const names = [...entries.keys()]
  return listAt(variation, ...vatomType, list).flatMap((entry, index) => {
    const path = [...vatomType, list, index]
    const name = at(entry, 'name')
    if (typeof name === 'string' && entries.has(name)) return fixedIssues(entry, entries.get(name), path)
    const message = `the template has no entry ${word(name)} in ${list}`
    return [overlay([...path, 'name'], `overlay-${list}`, message, among(name, names, 'its entries'))]
  })
}

/** Of an entry only its value can be overwritten. */
const fixedIssues = (entry: unknown, base: unknown, path: Path): Draft[] => [
  ...resourceTypeIssues(entry, base, path),
  ...stateChangeIssues(entry, base, path),
]

function resourceTypeIssues(entry: unknown, base: unknown, path: Path): Draft[] {
  const own = at(entry, 'resourceType')
  const fixed = at(base, 'resourceType')
  if (own === undefined || own === fixed) return []
  const message = `only the value of a resource can be overwritten: resourceType is ${word(fixed)}`
  return [overlay([...path, 'resourceType'], 'overlay-resource-type', message)]
}

/** What does nothing is the same as none. Spec 2.4. */
const noReactor = { reactor: '' }

function stateChangeIssues(entry: unknown, base: unknown, path: Path): Draft[] {
  const own = at(entry, 'on_state_change')
  if (own === undefined || isSame(own, at(base, 'on_state_change') ?? noReactor)) return []
  const message = 'only the value of a state can be overwritten, not its on_state_change'
  return [misplaced([...path, 'on_state_change'], 'overlay-state-change', message, 'leave it out')]
}

/** Where something in a section is; `printed` is its place in words, which takes time to make anew for each field in it. */
interface Place {
  readonly path: Path
  readonly printed: string
}

const within = ({ path, printed }: Place, key: string): Place => ({
  path: [...path, key],
  printed: `${printed}.${key}`,
})

/** An object over anything else would add its fields. A `null` has no type, and the entries of lists are not compared. */
function privateIssues(own: unknown, defined: unknown): Draft[] {
  const found: Draft[] = []
  const compare = (own: unknown, defined: unknown, place: Place): void => {
    if (!isObject(own) || (!isObject(defined) && Object.keys(own).length === 0)) {
      if (!isSameType(own, defined)) found.push(typeIssue(own, defined, place))
      return
    }
    const fields = isObject(defined) ? defined : {}
    const names = lazy(() => Object.keys(fields))
    for (const [key, value] of Object.entries(own)) {
      if (Object.hasOwn(fields, key)) compare(value, fields[key], within(place, key))
      else found.push(undefinedField(key, defined, place, names))
    }
  }
  compare(own, defined, { path: ['vatom', 'private'], printed: 'private' })
  return found
}

function undefinedField(key: string, holder: unknown, place: Place, names: () => readonly string[]): Draft {
  const { path, printed } = within(place, key)
  const hint = isObject(holder)
    ? () => didYouMean(key, names()) ?? `its fields: ${nameList(names())}; a new one is added to the template first`
    : `in the template ${place.printed} is ${describe(holder)}`
  return misplaced(path, 'overlay-private', `the template defines no custom field ${printed}`, hint)
}

const typeIssue = (own: unknown, defined: unknown, { path, printed }: Place): Draft => ({
  path,
  rule: privateType,
  severity: 'warning',
  spec: '2.5',
  message: `${printed} is ${describe(defined)} in the template, and ${describe(own)} here`,
  hint: 'write a value of the type that the template has',
})

/** Fields stored on chain are custom fields too: a variation has those of its template, with their types. Spec 2.3, 2.5. */
function chainIssues(variation: unknown, template: unknown, section: 'eth' | 'eos'): Draft[] {
  const own = at(variation, section)
  if (own === undefined) return []
  if (at(template, section) === undefined)
    return [misplaced([section], `overlay-${section}`, `the template has no ${section} section`)]
  const fields = at(own, 'fields')
  const defined = at(template, section, 'fields')
  if (!isObject(fields) || !isObject(defined)) return []
  return Object.keys(fields).flatMap((key) => chainFieldIssues(section, key, fields[key], defined))
}

function chainFieldIssues(
  section: 'eth' | 'eos',
  key: string,
  own: unknown,
  defined: Record<string, unknown>,
): Draft[] {
  const path = [section, 'fields', key]
  const rule = `overlay-${section}` as const
  if (!Object.hasOwn(defined, key)) {
    const hint = among(key, Object.keys(defined), 'its fields')
    return [misplaced(path, rule, `the template defines no ${section} field ${key}`, hint)]
  }
  const fixed = at(defined[key], 'type')
  if (at(own, 'type') === fixed) return []
  return [overlay([...path, 'type'], rule, `the template fixes the type to ${word(fixed)}`)]
}

/** A variation that names its root_type has met these by itself. */
const containerRules: readonly Rule[] = [queryContainer, childPolicyContainer]

/** What the variation's own fields break once they stand over the template's. */
function resolvedIssues(variation: unknown, template: unknown): Draft[] {
  const base = at(template, ...vatomType)
  const over = at(variation, ...vatomType)
  if (!isObject(base) || !isObject(over)) return []
  const resolved = { vatom: resolveVatom({ [vatomTypeKey]: base }, { [vatomTypeKey]: over }) }
  const alone = at(variation, ...vatomType, 'root_type') !== undefined
  return [redeemableCommerce, ...(alone ? [] : containerRules)].flatMap(({ name, severity, spec, check }) =>
    check(resolved, {}, 'variation')
      .filter(({ path }) => at(variation, ...path) !== undefined)
      .map((finding) => ({ ...finding, rule: name, severity, spec })),
  )
}
