import type { Client } from '../../../client/client.ts'
import type { ActionRecord } from '../../../contract/kinds/action-schemas.ts'
import type { FaceRecord } from '../../../contract/kinds/face-schemas.ts'
import type { TemplateRecord } from '../../../contract/kinds/template-schemas.ts'
import type { VariationRecord } from '../../../contract/kinds/variation-schemas.ts'
import { at } from '../../../contract/schema/path.ts'
import { everyPage } from '../../service/every-page.ts'
import { facesOf } from '../../service/faces-of.ts'
import { ifThere } from '../../service/if-there.ts'

/** A variation of a template, as far as it matters whether it stays. */
export interface ListedVariation {
  readonly name: string
  readonly isFinal: boolean
}

/** What the service has; each question is asked once. */
export interface State {
  readonly template: (name: string) => Promise<TemplateRecord | undefined>
  readonly variation: (name: string) => Promise<VariationRecord | undefined>
  /** In order of registration; none of a template that is not there. */
  readonly facesOf: (template: string) => Promise<readonly FaceRecord[]>
  readonly actionsOf: (template: string) => Promise<readonly ActionRecord[]>
  readonly variationsOf: (template: string) => Promise<readonly ListedVariation[]>
}

/** The state that a client sees. */
export function stateOf(client: Client): State {
  const template = onceEach((name) => ifThere(client.getTemplate({ name })))
  const ofTemplate = <R>(list: (name: string) => Promise<readonly R[]>) =>
    onceEach(async (name) => ((await template(name)) === undefined ? [] : list(name)))
  return {
    template,
    variation: onceEach((name) => ifThere(client.getVariation({ name }))),
    facesOf: ofTemplate((name) => facesOf(client, name)),
    actionsOf: ofTemplate((name) =>
      everyPage(
        (paging) => client.listActions({ query: { template: name, ...paging } }),
        (action) => action.name,
      ),
    ),
    variationsOf: ofTemplate((name) => listVariations(client, name)),
  }
}

async function listVariations(client: Client, template: string): Promise<ListedVariation[]> {
  const fields = 'name,properties(unpublished)'
  const listed = await everyPage(
    (paging) => client.listVariations({ query: { template, fields, ...paging } }),
    ({ name }) => name,
  )
  return listed.flatMap(({ name, ...record }) =>
    name === undefined ? [] : [{ name, isFinal: at(record, 'properties', 'unpublished') === false }],
  )
}

function onceEach<T>(ask: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  return (name) => {
    const answer = asked.get(name) ?? ask(name)
    asked.set(name, answer)
    return answer
  }
}
