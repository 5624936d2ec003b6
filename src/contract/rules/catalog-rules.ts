import { identityOf } from '../kinds/face.ts'
import { isEverPicked, selectFace, viewerPlatforms, viewersOf } from '../kinds/face-selection.ts'
import { limits } from '../limits.ts'
import { capped, type Issue } from '../schema/issues.ts'
import type { KindName } from '../values.ts'
import { actionFamilyOf } from './action-family.ts'
import { type Catalog, type Member, wholeRules } from './catalog.ts'
import { constraint, familyOf } from './face-family.ts'
import { faceResourceIssues, faceResourceNotes } from './face-rules.ts'
import { isFollowUp } from './follow-ups.ts'
import { overlayIssues, overlayNotes } from './overlay-rules.ts'
import { containerAction, openVariations, permittedActions } from './permitted-actions.ts'
import { policyActions } from './policy-actions.ts'
import { policyGuards } from './policy-guards.ts'
import { formMissing } from './query-names.ts'
import {
  absent,
  missingChildren,
  missingQueried,
  missingTemplate,
  misspelt,
  namedAfterOther,
  publisherIn,
  type Reference,
  renamed,
} from './references.ts'
import { discoverQuery, iosDrops, validityResolved } from './resolved-rules.ts'
import type { Finding, RuleNote } from './rule.ts'

/** A rule that only other documents can show to be broken: a pure function of a document and its catalog. */
export interface CatalogRule extends RuleNote {
  readonly spec: string
  readonly kinds: readonly KindName[]
  /** The rule of a document by itself whose finding is none where this one has found what is wrong. */
  readonly instead?: string
  /** Whether it is checked in a document that has errors by itself, too. */
  readonly always?: true
  readonly check: (self: Member, catalog: Catalog) => readonly Finding[]
}

const ofFaces = { spec: '4.5', kinds: ['face'] } as const

/** Rules of documents together, in the order they are reported. A document that is not in the catalog breaks none. */
export const catalogRules: readonly CatalogRule[] = [
  {
    name: 'template-name',
    instead: 'variation-name',
    spec: '2.2',
    kinds: ['variation', 'face', 'action'],
    always: true,
    severity: 'warning',
    summary: 'a variation, face or action does not misspell the name of a template in the catalog',
    check: templateName,
  },
  {
    name: 'child-name',
    spec: '2.4',
    kinds: ['template', 'variation'],
    always: true,
    severity: 'warning',
    summary: 'a child_policy does not misspell the name of a variation in the catalog',
    check: childName,
  },
  {
    name: 'query-name',
    spec: '2.4',
    kinds: ['template', 'variation'],
    always: true,
    severity: 'warning',
    summary:
      'the query of a discover container has whole names of templates and variations, and misspells none in the catalog',
    check: queryName,
  },
  {
    name: 'template-missing',
    instead: 'variation-name',
    spec: '2.2',
    kinds: ['variation', 'face', 'action'],
    always: true,
    severity: 'warning',
    summary: 'a variation, face or action of a whole catalog is of a template in it',
    check: templateMissing,
  },
  {
    name: 'child-missing',
    spec: '2.4',
    kinds: ['template', 'variation'],
    always: true,
    severity: 'warning',
    summary: 'a child_policy of a whole catalog names variations in it',
    check: childMissing,
  },
  {
    name: 'query-missing',
    spec: '2.4',
    kinds: ['template', 'variation'],
    always: true,
    severity: 'warning',
    summary:
      'the query of a discover container in a whole catalog names templates and variations in it, or those of others',
    check: queryMissing,
  },
  {
    name: 'action-missing',
    spec: '4',
    kinds: ['action'],
    severity: 'warning',
    summary: 'the policy of an action in a whole catalog names actions of its template in it',
    check: actionMissing,
  },
  policyGuards,
  {
    name: 'no-face',
    spec: '4.5',
    kinds: ['template'],
    severity: 'warning',
    summary: 'a template of a whole catalog has a face, without which viewers show nothing',
    check: noFace,
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
    ...ofFaces,
    severity: 'error',
    summary: 'no two faces of a template are alike in view mode, platform and quality',
    check: faceTwice,
  },
  {
    name: 'face-shadowed',
    ...ofFaces,
    severity: 'warning',
    summary: 'every face is picked by some viewer',
    check: faceShadowed,
  },
  {
    name: 'face-platforms',
    ...ofFaces,
    severity: 'warning',
    summary: 'the faces of a view mode cover all platforms, so that the vAtom is not blank on any',
    check: facePlatforms,
  },
  ...permittedActions,
  ...openVariations,
  containerAction,
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
    summary: 'the price that a variation has with its template is valid on at least one day',
    check: validityResolved,
  },
  {
    name: 'ios-drops',
    spec: '2.4',
    kinds: ['variation'],
    severity: 'warning',
    summary:
      'a vAtom has a title, a description, a category and a complete price: iOS does not show a vAtom without them',
    check: iosDrops,
  },
]

/** Rules of a variation or a face and its template. */
export const relatedNotes: readonly RuleNote[] = [...overlayNotes, ...faceResourceNotes]

/** Everything that other documents show to be wrong with one, except what follows from `errors` that it has by itself. */
export const catalogIssues = (self: Member, catalog: Catalog, errors: readonly Issue[] = []): Issue[] => [
  ...relatedIssues(self, catalog, errors),
  ...catalogRules
    .filter(({ kinds, always }) => kinds.includes(self.kind) && (always || errors.length === 0))
    .filter(({ name }) => !wholeRules.includes(name) || catalog.ifWhole.includes(name))
    .flatMap(({ name, severity, spec, check }) =>
      capped(check(self, catalog), (finding) => ({ ...finding, rule: name, severity, spec })),
    ),
]

/** The issues that a document has by itself, without those that only follow from what its catalog shows. */
export function withoutReplaced(own: readonly Issue[], related: readonly Issue[]): readonly Issue[] {
  const replaced = catalogRules
    .filter(({ name }) => related.some(({ rule }) => rule === name))
    .map(({ instead }) => instead)
  return own.filter(({ rule }) => !replaced.includes(rule))
}

/** What is checked against the template of a document, by kind. Spec 2.5, 4.5. */
const related: Partial<Record<KindName, (value: unknown, template: unknown) => Issue[]>> = {
  variation: overlayIssues,
  face: faceResourceIssues,
}

/** The issues of a document with its template, whose document is given. Spec 2.5, 4.5. */
export const issuesWithTemplate = (kind: KindName, value: unknown, template: unknown): Issue[] =>
  related[kind]?.(value, template) ?? []

/** Issues with its template, where that is in the catalog. */
function relatedIssues({ kind, value, template: name }: Member, catalog: Catalog, own: readonly Issue[]): Issue[] {
  const template = catalog.faultyTemplate(name)
  if (template === undefined) return []
  return issuesWithTemplate(kind, value, template.member.value)
    .filter((issue) => !isFollowUp(issue, kind, { own, template }))
    .map((issue) => ({ ...issue, message: `${issue.message}; the template is at ${template.member.place()}` }))
}

function templateName(self: Member, catalog: Catalog): Finding[] {
  return missingTemplate(self, catalog).flatMap(misspelt)
}

/** A folder without any template may be a part of a catalog, unless it has a project file. */
function templateMissing(self: Member, catalog: Catalog): Finding[] {
  const mayBePart = catalog.names('template').size === 0 && !catalog.isDescribed
  if (mayBePart) return []
  return missingTemplate(self, catalog).flatMap(
    (reference) =>
      namedAfterOther(self, reference, catalog) ?? renamed(self, reference, catalog) ?? absent(reference, catalog),
  )
}

function childName(self: Member, catalog: Catalog): Finding[] {
  return missingChildren(self, catalog).flatMap(misspelt)
}

/** A folder without any variation may be a part of a catalog, unless it has a project file. */
function childMissing(self: Member, catalog: Catalog): Finding[] {
  const mayBePart = catalog.names('variation').size === 0 && !catalog.isDescribed
  if (mayBePart) return []
  return missingChildren(self, catalog).flatMap((one) => absent(one, catalog))
}

function queryName(self: Member, catalog: Catalog): Finding[] {
  return missingQueried(self, catalog).flatMap((reference) => {
    const found = misspelt(reference)
    return found.length > 0 ? found : incomplete(reference)
  })
}

/** A name that cannot be one, whoever's it is. */
function incomplete({ path, name, kind }: Reference): Finding[] {
  const form = formMissing({ kind, name })
  if (form === undefined) return []
  return [
    { path, message: `${name} is no whole name of a ${kind}: the query finds nothing by it`, hint: `write ${form}` },
  ]
}

function queryMissing(self: Member, catalog: Catalog): Finding[] {
  return missingQueried(self, catalog)
    .filter((one) => formMissing(one) === undefined && publisherIn(one.name) === publisherIn(self.name))
    .flatMap((one) => absent(one, catalog))
}

function actionMissing({ value, template }: Member, catalog: Catalog): Finding[] {
  const mayBePart = catalog.template(template) === undefined && !catalog.isDescribed
  if (mayBePart) return []
  const all = catalog.names('action')
  const { names } = actionFamilyOf(catalog.of(template, 'action'))
  return policyActions(value)
    .filter(({ full }) => !all.has(full))
    .map(({ path, full }) => ({ path, name: full, kind: 'action' as const, names }))
    .flatMap((reference) => [...misspelt(reference), ...absent(reference, catalog)])
}

function noFace({ name }: Member, catalog: Catalog): Finding[] {
  if (catalog.of(name, 'face').length > 0) return []
  const hint = 'viewers show nothing of a vAtom without a face: add one for icon, as a document with display_url'
  return [{ path: ['template'], message: 'the template has no face', hint }]
}

function iconFace({ name }: Member, catalog: Catalog): Finding[] {
  const { faces, mode } = familyOf(catalog.of(name, 'face'))
  const [first] = faces
  if (first === undefined || mode('icon') !== undefined) return []
  const message = `the template has faces but no icon face; the first face is at ${first.place()}`
  return [{ path: ['template'], message, hint: 'add a face for icon: it shows the vAtom in the inventory' }]
}

function faceTwice(self: Member, catalog: Catalog): Finding[] {
  const earlier = familyOf(catalog.of(self.template, 'face')).firstAlike(self)
  if (earlier === undefined || earlier === self) return []
  const what = identityOf(self.value).map(String).join(', ')
  const message = `a second face of the template for ${what}; the first is at ${earlier.place(['constraints'])}`
  return [{ path: ['constraints'], message, hint: 'keep one of them' }]
}

function faceShadowed(self: Member, catalog: Catalog): Finding[] {
  const { faces, countAlike } = familyOf(catalog.of(self.template, 'face'))
  if (faces.length < 2 || faces.length > limits.facesCompared || countAlike(self) > 1) return []
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

/** Reported at the first face of the view mode, if its template, and so presumably all its faces, is in the catalog. */
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
