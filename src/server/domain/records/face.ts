import { errorAt } from '../../../contract/api/errors.ts'
import { isFaceOf } from '../../../contract/kinds/face.ts'
import { type FaceDocument, FaceRecord, type FaceUpdate } from '../../../contract/kinds/face-schemas.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { faceDraftsFor, faceResourceIssues } from '../../../contract/rules/face-rules.ts'
import { capped, type Draft, type Issue } from '../../../contract/schema/issues.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import type { Steps } from '../../store/slices.ts'
import type { TemplateRow } from '../../store/templates.ts'
import { found, known, own } from '../access.ts'
import type { ByPublisher, Moment, Warned } from '../caller.ts'
import { refusal } from '../refusal.ts'
import { newMeta, recordMeta } from './meta.ts'
import { settle } from './rules.ts'
import { vatomOf } from './template.ts'

/** The face of an id, of a template of the publisher's, or the declared refusal. */
export function ownFace(scope: ByPublisher, id: string) {
  const row = scope.store.faces.byId(id)
  return own(scope, found(known(scope, row && { ...row, name: `face ${id}` }), `face has the id ${id}`))
}

/** Refuses a face with resources that its template does not have. Call it inside a write. Spec 4.5. */
export function checkResources(scope: Warned, face: unknown, template: TemplateRow): void {
  settle(scope, faceResourceIssues(face, { vatom: vatomOf(template) }), () => 'missingReference')
}

/** Refuses a face for the same viewers as another, in steps. Call it inside a write. */
export function* checkNoneAlike({ store }: Moment, face: FaceDocument): Steps<void> {
  for (const json of store.faces.eachOfTemplate(face.template)) {
    const record = FaceRecord().parse(JSON.parse(json))
    if (isFaceOf(face, record))
      throw errorAt('constraints', 'nameTaken', `the face ${record.id} is for the same viewers`)
    yield
  }
}

/**
 * Checks the faces of a changed template, in steps: while it is a draft, there are warnings of resources that it no longer
 * has; it is not published without a resource that a face shows. Throws `missingReference`. Call it inside a write. Spec 4.5.
 */
export function* checkFaces(scope: Moment & Warned, template: TemplateRow, before: TemplateRow): Steps<void> {
  const isFinal = template.unpublished === 0
  if (!isFinal && template.vatom === before.vatom) return
  const check = faceDraftsFor({ vatom: vatomOf(template) })
  const found: FaceIssue[] = []
  for (const json of scope.store.faces.eachOfTemplate(template.name)) {
    found.push(...issuesOf(json, check))
    yield
  }
  const errors = isFinal ? found.filter(({ severity }) => severity === 'error') : []
  if (errors.length > 0) throw refusal('missingReference', capped(errors, inTemplate))
  // A config names a resource that the face lists, too.
  const first = new Map(found.toReversed().map((one) => [one.message, one]))
  for (const { rule, message, id } of [...first.values()].toReversed())
    scope.warn({ code: rule, path: '', message, about: id })
}

type FaceIssue = Issue & { readonly id: string }

/** The issues of a stored face, without hints, each with its name and id. */
function issuesOf(json: string, check: (face: unknown) => readonly Draft[]): FaceIssue[] {
  const record = FaceRecord().parse(JSON.parse(json))
  const { properties, id } = record
  const name = `face ${kindOf('face').nameOf(kindOf('face').documentOf(record))}`
  return capped(check(properties), ({ hint: _, ...draft }) => draft).map((issue) => ({
    ...issue,
    message: `${name}: ${issue.message}`,
    id,
  }))
}

const inTemplate = ({ id: _, ...issue }: FaceIssue): Issue => ({
  ...issue,
  path: ['unpublished'],
  hint: 'change or delete the face first',
})

/** A new face as it is stored and answered. */
export const faceText = (scope: ByPublisher, id: string, { template, ...properties }: FaceDocument): string =>
  JSON.stringify({ id, template, meta: recordMeta(newMeta(scope), 'v1::FaceType'), properties })

/** The properties of a face after a change: each field that was sent replaces the one before, each constraint likewise. */
export const changedFace = (before: Section, { constraints, ...sent }: FaceUpdate): Section => ({
  ...before,
  ...sent,
  constraints: { ...sectionOf(before.constraints), ...constraints },
})
