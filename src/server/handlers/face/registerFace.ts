import { randomUUID } from 'node:crypto'
import { errorAt } from '../../../contract/errors.ts'
import type { FaceDocument } from '../../../contract/face.ts'
import { faceResourceIssues } from '../../../contract/rules.ts'
import { timestamp } from '../../clock.ts'
import type { PublisherScope } from '../../environment.ts'
import { checkOwn, checkRules, settle } from '../../records/rules.ts'
import { vatomOf } from '../../records/template.ts'
import type { Handler } from '../handlers.ts'

/** Registers a face for the publisher's template, a draft or a published one. Spec 4.5. */
export const registerFace: Handler<'registerFace'> = async (scope, { body }) => {
  checkRules(scope, 'face', body)
  const id = randomUUID()
  await scope.store.write(() => {
    checkTemplate(scope, body)
    scope.store.faces.insert({ id, template: body.template, json: JSON.stringify(faceRecord(scope, id, body)) })
  })
  return { success_message: `Face ${id} registered for template ${body.template}.` }
}

function checkTemplate(scope: PublisherScope, face: FaceDocument): void {
  const template = scope.store.templates.byName(face.template)
  if (!template) throw errorAt('template', 'missingReference', `no template is named ${face.template}`)
  checkOwn(scope, template)
  const issues = faceResourceIssues(face, { vatom: vatomOf(template) })
  settle(scope, issues, () => 'missingReference')
}

function faceRecord(scope: PublisherScope, id: string, { template, ...properties }: FaceDocument) {
  const now = timestamp(scope.now)
  return {
    id,
    template,
    meta: {
      created_by: scope.user.id,
      when_created: now,
      modified_by: scope.user.id,
      when_modified: now,
      data_type: 'v1::FaceType',
    },
    properties,
  }
}
