import type { Found } from '../../store/search/search.ts'
import type { Moment } from '../caller.ts'
import { JsonText, listText } from '../json-text.ts'

/** The faces and actions of the templates of vAtoms, as members of a JSON object. */
export function designsText({ store }: Moment, found: readonly Found[]): string {
  const templates = [...new Set(found.map(({ template }) => template))]
  const faces = templates.flatMap((template) => store.faces.ofTemplate(template))
  const actions = templates.flatMap((template) => store.actions.ofTemplate(template))
  return `"faces":${listText(faces)},"actions":${listText(actions)}`
}

/** vAtoms with the faces and actions of their templates; the stored JSON text is not parsed. */
export const vatomsPage = (scope: Moment, found: readonly Found[]): JsonText =>
  new JsonText(`{"vatoms":${listText(found.map(({ json }) => json))},${designsText(scope, found)}}`)
