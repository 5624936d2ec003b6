import { identityOf } from '../kinds/face-identity.ts'
import { isEverPicked, selectFace, viewerPlatforms, viewersOf } from '../kinds/face-selection.ts'
import { kindOf } from '../kinds/kinds.ts'
import { capped, type Issue } from '../schema/issues.ts'
import { typo } from '../schema/suggest.ts'
import type { KindName } from '../values.ts'
import { type Catalog, childrenOf, type Member } from './catalog.ts'
import { vatomType } from './document-checks.ts'
import { faceResourceIssues } from './document-rules.ts'
import { constraint, familyOf } from './face-family.ts'
import { overlayIssues } from './overlay-rules.ts'
import { discoverQuery, iosDrops, validityResolved } from './resolved-rules.ts'
import type { Finding, RuleNote } from './rule.ts'

/** A rule that only other documents can show to be broken: a pure function of a document and those at hand. */
export interface CatalogRule extends RuleNote {
  readonly spec: string
  readonly kinds: readonly KindName[]
  readonly check: (self: Member, catalog: Catalog) => readonly Finding[]
}

/** What documents must be together, in the order it is reported. What is not at hand is not missed. */
export const catalogRules: readonly CatalogRule[] = [
  {
    name: 'template-name',
    spec: '2.2',
    kinds: ['variation', 'face', 'action'],
    severity: 'warning',
    summary: 'a variation, face or action does not misspell the name of a template at hand',
    check: templateName,
  },
  {
    name: 'child-name',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a child_policy does not misspell the name of a variation at hand',
    check: childName,
  },
  {
    name: 'icon-face',
    spec: '4.5',
    kinds: ['template'],
    severity: 'warning',
    summary: 'a template that has faces has an icon face',
    check: iconFace,
  },
  {
    name: 'face-twice',
    spec: '4.5',
    kinds: ['face'],
    severity: 'warning',
    summary: 'no two faces of a template are alike in view mode, platform and quality',
    check: faceTwice,
  },
  {
    name: 'face-shadowed',
    spec: '4.5',
    kinds: ['face'],
    severity: 'warning',
    summary: 'some viewer picks each face',
    check: faceShadowed,
  },
  {
    name: 'face-platforms',
    spec: '4.5',
    kinds: ['face'],
    severity: 'warning',
    summary: 'the faces of a view mode leave the vAtom blank on no platform',
    check: facePlatforms,
  },
  {
    name: 'discover-query',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a discover container has a query, its own or from its variations',
    check: discoverQuery,
  },
  {
    name: 'validity-resolved',
    spec: '2.4',
    kinds: ['variation'],
    severity: 'warning',
    summary: 'a price is valid on some day, once the variation stands over its template',
    check: validityResolved,
  },
  {
    name: 'ios-drops',
    spec: '2.4',
    kinds: ['variation'],
    severity: 'warning',
    summary: 'the vAtom has a title, a description, a category and a whole price: iOS leaves out one without',
    check: iosDrops,
  },
]

/** What a variation or a face may do with its template: rules that are told by name elsewhere. */
export const relatedNotes: readonly RuleNote[] = [
  {
    name: 'overlay-root-type',
    spec: '2.5',
    severity: 'error',
    summary: 'a variation has the root_type of its template',
  },
  {
    name: 'overlay-states',
    spec: '2.5',
    severity: 'error',
    summary: 'a variation has only states that its template has',
  },
  {
    name: 'overlay-state-change',
    spec: '2.5',
    severity: 'error',
    summary: 'of a state a variation changes the value alone',
  },
  {
    name: 'overlay-resources',
    spec: '2.5',
    severity: 'error',
    summary: 'a variation has only resources that its template has',
  },
  {
    name: 'overlay-resource-type',
    spec: '2.5',
    severity: 'error',
    summary: 'a variation overwrites only the value of a resource',
  },
  {
    name: 'overlay-private',
    spec: '2.5',
    severity: 'error',
    summary: 'a variation has only custom fields that its template has',
  },
  {
    name: 'overlay-eth',
    spec: '2.5',
    severity: 'error',
    summary: 'a variation has only eth fields that its template has, of the same type',
  },
  {
    name: 'overlay-eos',
    spec: '2.5',
    severity: 'error',
    summary: 'a variation has only eos fields that its template has, of the same type',
  },
  {
    name: 'face-resource',
    spec: '4.5',
    severity: 'error',
    summary: 'resources of a face are resources of its template',
  },
  {
    name: 'face-config-resource',
    spec: '4.5',
    severity: 'warning',
    summary: "resources that a face's config names are resources of its template",
  },
]

/** Everything that other documents show to be wrong with one. */
export const catalogIssues = (self: Member, catalog: Catalog): Issue[] => [
  ...relatedIssues(self, catalog),
  ...catalogRules
    .filter(({ kinds }) => kinds.includes(self.kind))
    .flatMap(({ name, severity, spec, check }) =>
      capped(check(self, catalog), (finding) => ({ ...finding, rule: name, severity, spec })),
    ),
]

/** Issues that its template shows, when that is at hand: Spec 2.5, 4.5. */
function relatedIssues({ kind, value, template: name }: Member, catalog: Catalog): Issue[] {
  if (kind !== 'variation' && kind !== 'face') return []
  const template = catalog.template(name)
  if (template === undefined) return []
  const found = kind === 'variation' ? overlayIssues(value, template.value) : faceResourceIssues(value, template.value)
  if (found.length === 0) return found
  const note = `; the template is at ${template.place()}`
  return found.map((issue) => ({ ...issue, message: issue.message + note }))
}

function templateName({ kind, template }: Member, catalog: Catalog): Finding[] {
  const names = catalog.names('template')
  if (template === undefined || names.has(template)) return []
  return misspelling([kindOf(kind).templateKey], template, ['template', names])
}

function childName({ value }: Member, catalog: Catalog): Finding[] {
  const names = catalog.names('variation')
  return childrenOf(value)
    .filter(({ name }) => !names.has(name))
    .flatMap(({ index, name }) =>
      misspelling([...vatomType, 'child_policy', index, 'template_variation'], name, ['variation', names]),
    )
}

function misspelling(
  path: Finding['path'],
  name: string,
  [kind, names]: readonly [KindName, ReadonlySet<string>],
): Finding[] {
  const meant = typo(name, names)
  if (meant === undefined) return []
  return [{ path, message: `no ${kind} at hand is named ${name}`, hint: `did you mean ${meant}?` }]
}

function iconFace({ name }: Member, catalog: Catalog): Finding[] {
  const { faces, mode } = familyOf(catalog.of(name, 'face'))
  const [first] = faces
  if (first === undefined || mode('icon') !== undefined) return []
  const message = `the template has faces but no icon; the first is at ${first.place()}`
  return [{ path: ['template'], message, hint: 'an icon stands for the vAtom in the inventory: add a face for it' }]
}

function faceTwice(self: Member, catalog: Catalog): Finding[] {
  const earlier = familyOf(catalog.of(self.template, 'face')).firstAlike(self)
  if (earlier === undefined || earlier === self) return []
  const what = identityOf(self.value).map(String).join(', ')
  const message = `a second face of the template for ${what}; the first is at ${earlier.place()}`
  return [{ path: ['constraints'], message, hint: 'keep one of them' }]
}

/** Faces of a template that are held against each other; nobody has so many. */
const mostFaces = 64

function faceShadowed(self: Member, catalog: Catalog): Finding[] {
  const { faces, countAlike } = familyOf(catalog.of(self.template, 'face'))
  if (faces.length < 2 || faces.length > mostFaces || countAlike(self) > 1) return []
  const values = faces.map(({ value }) => value)
  if (isEverPicked(values, faces.indexOf(self))) return []
  const better = betterThan(self, faces)
  const places = better.map((face) => face.place()).join(', ')
  const message = `no viewer picks this face: for ${String(constraint(self, 'view_mode'))} it picks the one at ${places}`
  const ignored = better.some((face) => constraint(face, 'quality') !== constraint(self, 'quality'))
  return [{ path: ['constraints'], message, ...(ignored && { hint: 'viewers of the known SDKs ignore quality' }) }]
}

/** What viewers that could show a face pick in its place. */
function betterThan(self: Member, faces: readonly Member[]): Member[] {
  const viewMode = String(constraint(self, 'view_mode'))
  const platform = constraint(self, 'platform')
  const values = faces.map(({ value }) => value)
  const viewers = viewersOf(self.value).filter((viewer) => platform === 'generic' || platform === viewer.platform)
  const picked = viewers.map((viewer) => selectFace(values, { ...viewer, viewMode }).face)
  return faces.filter((_, index) => picked.includes(index))
}

/** Told at the first face of the view mode, where its template is at hand and so, as it seems, all of its faces. */
function facePlatforms(self: Member, catalog: Catalog): Finding[] {
  const { mode } = familyOf(catalog.of(self.template, 'face'))
  const viewMode = constraint(self, 'view_mode')
  if (mode(viewMode)?.first !== self || !catalog.names('template').has(self.template ?? '')) return []
  const served = (viewMode === 'engaged' ? ['engaged', 'icon'] : [viewMode]).flatMap((one) => [
    ...(mode(one)?.platforms ?? []),
  ])
  const blank = viewerPlatforms.filter((platform) => !served.includes(platform))
  if (served.includes('generic') || blank.length === 0) return []
  const message = `as ${String(viewMode)} the vAtom is blank on ${blank.join(' and ')}: the template has no face for ${blank.length === 1 ? 'it' : 'them'}`
  return [{ path: ['constraints', 'platform'], message, hint: 'a face for platform generic is shown everywhere' }]
}
