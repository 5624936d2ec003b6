import type { Issue } from './issues.ts'
import { at, isObject, listAt, type Path, printPath } from './path.ts'
import { definedFolder, discoverContainer, type Kind, nativeFaces, publisherPlaceholder } from './values.ts'

/** Facts a rule may need that the document itself does not hold. */
export interface Facts {
  /** The publisher's domain name; without it names are not held against it. */
  readonly publisher?: string
}

/** A rule that no schema can say: a pure function of a document of any shape. */
export interface Rule {
  readonly name: string
  readonly spec: string
  readonly kinds: readonly Kind[]
  readonly severity: Issue['severity']
  /** One line for the documentation. */
  readonly summary: string
  readonly check: (document: unknown, facts: Facts) => readonly Finding[]
}
type Finding = Pick<Issue, 'path' | 'message' | 'hint'>

const type = ['vatom', 'vAtom::vAtomType'] as const
const nothing: readonly Finding[] = []

function publisherName(document: unknown, { publisher }: Facts): readonly Finding[] {
  const key = at(document, 'template_variation') === undefined ? 'template' : 'template_variation'
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
        hint: `write ${example}, or ${publisherPlaceholder}:: for your own domain`,
      },
    ]
  if (!name.includes('::'))
    return [
      { path: [key], message: 'the name must begin with the publisher domain name and ::', hint: `write ${example}` },
    ]
  return nothing
}

function repeated(document: unknown, list: string): readonly Finding[] {
  const names = listAt(document, ...type, list).map((entry) => at(entry, 'name'))
  return names.flatMap((name, index) =>
    typeof name === 'string' && names.indexOf(name) < index
      ? [{ path: [...type, list, index, 'name'], message: `${name} is there already: names in ${list} are unique` }]
      : [],
  )
}

function onlyIn(document: unknown, field: string, rootType: string): readonly Finding[] {
  const declared = at(document, ...type, 'root_type')
  if (at(document, ...type, field) === undefined || declared === undefined || declared === rootType) return nothing
  return [{ path: [...type, field], message: `${field} belongs only to a vAtom of root_type ${rootType}` }]
}

/** What a schema cannot say about a single document, in the order it is reported. */
export const rules: readonly Rule[] = [
  {
    name: 'publisher-name',
    spec: '2.2',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: "a name begins with the publisher's domain name and ::",
    check: publisherName,
  },
  {
    name: 'name-version',
    spec: '9',
    kinds: ['template'],
    severity: 'warning',
    summary: 'a template name ends with its version, ::v1',
    check: (document) => {
      const name = at(document, 'template')
      if (typeof name !== 'string' || /::v\d+$/.test(name)) return nothing
      return [
        {
          path: ['template'],
          message: 'the name carries no version',
          hint: `published templates are final, so the next one needs a new name: ${name}::v1`,
        },
      ]
    },
  },
  {
    name: 'redeemable-commerce',
    spec: '2.4',
    kinds: ['template'],
    severity: 'error',
    summary: 'a redeemable vAtom has commerce',
    check: (document) =>
      at(document, ...type, 'redeemable') === true && at(document, ...type, 'commerce') === undefined
        ? [
            {
              path: [...type, 'redeemable'],
              message: 'a redeemable vAtom needs commerce',
              hint: 'add commerce with its pricing, or commerce: {} for terms agreed elsewhere',
            },
          ]
        : nothing,
  },
  {
    name: 'unique-states',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'names in states are unique',
    check: (document) => repeated(document, 'states'),
  },
  {
    name: 'unique-resources',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'names in resources are unique',
    check: (document) => repeated(document, 'resources'),
  },
  {
    name: 'query-container',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'query stands only in a discover container',
    check: (document) => onlyIn(document, 'query', discoverContainer),
  },
  {
    name: 'child-policy-container',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'child_policy stands only in a defined folder',
    check: (document) => onlyIn(document, 'child_policy', definedFolder),
  },
  {
    name: 'state-change-ignored',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'on_state_change is not implemented by the platform',
    check: (document) =>
      listAt(document, ...type, 'states').flatMap((entry, index) =>
        at(entry, 'on_state_change') === undefined
          ? []
          : [
              {
                path: [...type, 'states', index, 'on_state_change'],
                message: 'on_state_change has no effect: the platform does not implement it yet',
              },
            ],
      ),
  },
  {
    name: 'resource-type-prefix',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a resource type begins with ResourceType::',
    check: (document) =>
      listAt(document, ...type, 'resources').flatMap((entry, index) => {
        const resourceType = at(entry, 'resourceType')
        if (typeof resourceType !== 'string' || !resourceType.startsWith('ResourceTypes::')) return []
        return [
          {
            path: [...type, 'resources', index, 'resourceType'],
            message: 'ResourceTypes:: is an old spelling',
            hint: `write ${resourceType.replace('ResourceTypes', 'ResourceType')}`,
          },
        ]
      }),
  },
  {
    name: 'native-face',
    spec: '4.5',
    kinds: ['face'],
    severity: 'warning',
    summary: 'a native display_url is one viewers bring along',
    check: (document) => {
      const url = at(document, 'display_url')
      if (typeof url !== 'string' || !url.startsWith('native://') || (nativeFaces as readonly string[]).includes(url))
        return nothing
      return [
        {
          path: ['display_url'],
          message: `${url} is shown only by viewers that register it`,
          hint: `known native faces: ${nativeFaces.join(', ')}`,
        },
      ]
    },
  },
]

/** All findings of the rules for a kind of document. */
export const ruleIssues = (kind: Kind, document: unknown, facts: Facts): Issue[] =>
  rules
    .filter((rule) => rule.kinds.includes(kind))
    .flatMap((rule) =>
      rule
        .check(document, facts)
        .map((finding) => ({ ...finding, rule: rule.name, severity: rule.severity, spec: rule.spec })),
    )

/** Resources of a face that its template does not have. Spec 4.5; the template is looked up by the caller. */
export function faceResourceIssues(face: unknown, template: unknown): Issue[] {
  const known = listAt(template, ...type, 'resources').map((entry) => at(entry, 'name'))
  return listAt(face, 'resources').flatMap((name, index) =>
    known.includes(name)
      ? []
      : [
          {
            path: ['resources', index],
            rule: 'face-resource',
            severity: 'error' as const,
            spec: '4.5',
            message: `the template has no resource ${String(name)}`,
            hint: known.length ? `its resources: ${known.join(', ')}` : 'its resources list is empty',
          },
        ],
  )
}

/** What a variation overwrites though it may not. Spec 2.5; the template is looked up by the caller. */
export function overlayIssues(variation: unknown, template: unknown): Issue[] {
  return [
    ...rootTypeIssues(variation, template),
    ...entryIssues(variation, template, 'states'),
    ...entryIssues(variation, template, 'resources'),
    ...privateIssues(at(variation, 'vatom', 'private'), at(template, 'vatom', 'private') ?? {}, ['vatom', 'private']),
  ]
}

const overlay = (path: Path, rule: string, message: string, hint?: string): Issue => ({
  path,
  rule,
  severity: 'error',
  spec: '2.5',
  message,
  ...(hint && { hint }),
})

function rootTypeIssues(variation: unknown, template: unknown): Issue[] {
  const own = at(variation, ...type, 'root_type')
  const fixed = at(template, ...type, 'root_type')
  if (own === undefined || own === fixed) return []
  return [overlay([...type, 'root_type'], 'overlay-root-type', `the template fixes root_type to ${String(fixed)}`)]
}

/** A template that defines no state has the default Activated state. Spec 2.4. */
const namesOf = (template: unknown, list: 'states' | 'resources') => {
  const names = listAt(template, ...type, list).map((entry) => at(entry, 'name'))
  return list === 'states' && names.length === 0 ? ['Activated'] : names
}

function entryIssues(variation: unknown, template: unknown, list: 'states' | 'resources'): Issue[] {
  const names = namesOf(template, list)
  return listAt(variation, ...type, list).flatMap((entry, index) => {
    const path = [...type, list, index]
    const position = names.indexOf(at(entry, 'name'))
    if (position < 0)
      return [
        overlay(
          [...path, 'name'],
          `overlay-${list}`,
          `the template has no entry ${String(at(entry, 'name'))} in ${list}`,
          `its entries: ${names.join(', ') || 'none'}`,
        ),
      ]
    const own = at(entry, 'resourceType')
    const fixed = at(template, ...type, list, position, 'resourceType')
    if (own === undefined || own === fixed) return []
    return [
      overlay(
        [...path, 'resourceType'],
        'overlay-resource-type',
        `only the value of a resource can be overwritten: resourceType is ${String(fixed)}`,
      ),
    ]
  })
}

function privateIssues(own: unknown, defined: unknown, path: Path): Issue[] {
  if (!isObject(own) || !isObject(defined)) return []
  return Object.keys(own).flatMap((key) =>
    Object.hasOwn(defined, key)
      ? privateIssues(own[key], defined[key], [...path, key])
      : [
          overlay(
            [...path, key],
            'overlay-private',
            `the template defines no custom field ${printPath([...path.slice(1), key])}`,
            `its fields: ${Object.keys(defined).join(', ') || 'none'}`,
          ),
        ],
  )
}
