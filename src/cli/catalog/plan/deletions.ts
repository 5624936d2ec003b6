import { at } from '../../../contract/schema/path.ts'
import type { Kind } from '../../../contract/values.ts'
import { variationDocument } from '../../kinds/record.ts'
import type { Step } from './compare.ts'
import { markOf } from './compare-record.ts'
import type { State } from './service-records.ts'

/** A record that the catalog does not have. */
export interface Deletion {
  readonly kind: Kind
  /** What it goes by: its name, a face's id. */
  readonly key: string
  /** As people are told. */
  readonly name: string
  readonly template: string
  readonly mark: string
}

/**
 * What the service has of the catalog's templates and the catalog has not: faces, actions, and variations that are
 * drafts. Templates themselves stay, and so does what is published.
 */
export async function deletionsOf(steps: readonly Step[], state: State): Promise<Deletion[]> {
  const kept = new Set(
    steps.map(({ document, standing }) => `${document.kind} ${standing ? standing.key : document.name}`),
  )
  const templates = steps.flatMap(({ document, standing }) =>
    document.kind === 'template' && standing ? [document.name] : [],
  )
  const found: Deletion[] = []
  for (const template of templates) found.push(...(await extrasOf(template, state)))
  return found.filter(({ kind, key }) => !kept.has(`${kind} ${key}`))
}

async function extrasOf(template: string, state: State): Promise<Deletion[]> {
  const [faces, actions, variations] = await Promise.all([
    state.facesOf(template),
    state.actionsOf(template),
    state.variationsOf(template),
  ])
  const drafts = await Promise.all(variations.flatMap(({ name, isFinal }) => (isFinal ? [] : [state.variation(name)])))
  const deletion = (kind: Kind, key: string, content: unknown, name = key): Deletion => ({
    kind,
    key,
    name,
    template,
    mark: markOf(content),
  })
  return [
    ...faces.map(({ id, properties }) =>
      deletion('face', id, properties, `${template} ${at(properties, 'constraints', 'view_mode')} (${id})`),
    ),
    ...actions.map(({ name, properties }) => deletion('action', name, properties)),
    ...drafts.flatMap((draft) => (draft ? [deletion('variation', draft.name, variationDocument(draft))] : [])),
  ]
}
