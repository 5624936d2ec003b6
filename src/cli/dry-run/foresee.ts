import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/errors.ts'
import { ApiError, errorAt } from '../../contract/api/errors.ts'
import type { Input, Operation } from '../../contract/api/table.ts'
import { isFaceOf } from '../../contract/kinds/face-identity.ts'
import type { TemplateRecord } from '../../contract/kinds/template-schemas.ts'
import type { VariationRecord } from '../../contract/kinds/variation-schemas.ts'
import { limits } from '../../contract/limits.ts'
import { faceResourceIssues } from '../../contract/rules/face-rules.ts'
import { at, printPath } from '../../contract/schema/path.ts'
import { actionInfix, vatomTypeKey } from '../../contract/values.ts'
import { ifThere } from '../service/if-there.ts'
import type { Listed } from './request-listing.ts'

/** Throws what the service would refuse a write for, as far as reads tell. */
type Foresight = { readonly [K in Operation]?: (input: Input<K>) => Promise<void> }

/** Throws what the service would answer to an operation with an input, where it would refuse it. */
export type Foresee = (operation: Operation, input: unknown) => Promise<void>

/** What reads tell of the writes of a run; the state of the service is taken to stay as it is. */
export function foresightOf(client: Client, lists: Listed): Foresee {
  const foresight: Foresight = {
    ...ofTemplates(client),
    ...ofVariations(client),
    ...ofFaces(client, lists),
    ...ofActions(client),
    ...ofVatoms(client),
    ...ofLists(lists),
  }
  return async (operation, input) => {
    // The table says which input an operation takes.
    const look = foresight[operation] as ((input: unknown) => Promise<void>) | undefined
    await look?.(input).catch((error: unknown) => {
      throw error instanceof ApiError ? new ServiceError(error.message, error.status, error.kind, error.issues) : error
    })
  }
}

const ofTemplates = (client: Client): Foresight => ({
  createTemplate: async ({ body: { template } }) => {
    if (await ifThere(client.getTemplate({ name: template })))
      throw errorAt('template', 'nameTaken', `a template named ${template} already exists`)
  },
  updateTemplate: async ({ name }) => checkDraft(await client.getTemplate({ name })),
  deleteTemplate: async ({ name }) => {
    checkDraft(await client.getTemplate({ name }))
    const [variation] = await client.listVariations({ query: { template: name, limit: '1', page: '1' } })
    if (variation) throw new ApiError('inUse', `${name} still has variations, such as ${variation.name}`)
  },
})

const ofVariations = (client: Client): Foresight => ({
  createVariation: async ({ body }) => {
    const template = await referred(client, body.template, 'template')
    if (body.unpublished === false) checkPublished(template)
    const { overlayIssues } = await import('../../contract/rules/overlay-rules.ts')
    const { template: vatom, eth, eos } = template.properties
    refuse('overlay', overlayIssues(body, { vatom, eth, eos }))
    if (await ifThere(client.getVariation({ name: body.template_variation })))
      throw errorAt(
        'template_variation',
        'nameTaken',
        `a template variation named ${body.template_variation} already exists`,
      )
  },
  updateVariation: async ({ name, body }) => {
    const variation = await client.getVariation({ name })
    checkDraft(variation)
    if (body.unpublished === false) checkPublished(await client.getTemplate({ name: variation.properties.template }))
  },
  deleteVariation: async ({ name }) => checkDraft(await client.getVariation({ name })),
  emit: async ({ body: { template_variation: name, num } }) => {
    const variation = await ifThere(client.getVariation({ name }))
    if (!variation) throw errorAt('template_variation', 'missingReference', `no template variation is named ${name}`)
    if (variation.properties.unpublished && num > limits.draftVatoms)
      throw errorAt('num', 'draftLimit', `${name} is a draft: at most ${limits.draftVatoms} vAtoms can be emitted`)
  },
})

const ofFaces = (client: Client, lists: Listed): Foresight => ({
  registerFace: async ({ body, unlessThere }) => {
    const { properties } = await referred(client, body.template, 'template')
    refuse('missingReference', faceResourceIssues(body, { vatom: properties.template }))
    const there = await lists.facesOf(body.template)
    const alike = unlessThere && there.find((record) => isFaceOf(body, record))
    if (alike) throw errorAt('constraints', 'nameTaken', `the face ${alike.id} is for the same viewers`)
    checkRoom('faces', body.template, 'template', there)
  },
  updateFace: async ({ id }) => needFace(id, lists),
  deleteFace: async ({ id }) => needFace(id, lists),
})

const ofActions = (client: Client): Foresight => ({
  registerAction: async ({ body: { name } }) => {
    const template = name.slice(0, name.indexOf(actionInfix))
    await referred(client, template, 'name')
    if (await ifThere(client.getAction({ name })))
      throw errorAt('name', 'nameTaken', `an action named ${name} is registered already`)
    checkRoom(
      'actions',
      template,
      'name',
      await client.listActions({ query: { template, limit: String(limits.actions), page: '1' } }),
    )
  },
  updateAction: async ({ name }) => void (await client.getAction({ name })),
  deleteAction: async ({ name }) => void (await client.getAction({ name })),
})

const ofVatoms = (client: Client): Foresight => ({
  trashVatom: async ({ body }) => void (await client.getVatom({ id: body['this.id'] })),
  performAction: async ({ action, body }) => {
    const template = String(at(await client.getVatom({ id: body['this.id'] }), vatomTypeKey, 'template'))
    const name = `${template}${actionInfix}${action}`
    const offered = await client.listTemplateActions({ template })
    if (!offered.some((one) => one.name === name)) throw new ApiError('unhandledAction', `no action is named ${name}`)
  },
})

const ofLists = (lists: Listed): Foresight => ({
  registerActionHandler: async ({ body: { reactor } }) => {
    if ((await lists.handlers()).has(reactor))
      throw errorAt('reactor', 'nameTaken', `a handler for ${reactor} is registered already: delete that one first`)
  },
  deleteActionHandler: async ({ reactor }) => {
    if (!(await lists.handlers()).has(reactor))
      throw new ApiError('notFound', `no action handler is registered for ${reactor}`)
  },
  deleteAsset: async ({ id }) => {
    if (!(await lists.assets()).has(id)) throw new ApiError('notFound', `no asset has the id ${id}`)
  },
})

/** The template that a field of a body names. */
async function referred(client: Client, name: string, field: string): Promise<TemplateRecord> {
  const template = await ifThere(client.getTemplate({ name }))
  if (template) return template
  throw errorAt(field, 'missingReference', `no template is named ${name}`)
}

function checkDraft({ name, properties }: TemplateRecord | VariationRecord): void {
  if (!properties.unpublished) throw new ApiError('published', `${name} is published, which is final`)
}

function checkPublished({ name, properties }: TemplateRecord): void {
  if (properties.unpublished)
    throw errorAt('unpublished', 'templateDraft', `the template ${name} is still a draft: publish it first`)
}

function checkRoom(noun: 'faces' | 'actions', template: string, field: string, there: readonly unknown[]): void {
  if (there.length < limits[noun]) return
  const most = `${template} has ${limits[noun]} ${noun}, the most a template can have`
  throw errorAt(field, 'invalid', `${most}; delete one first`)
}

async function needFace(id: string, lists: Listed): Promise<void> {
  if (!(await lists.hasFace(id))) throw new ApiError('notFound', `no face has the id ${id}`)
}

/** Refuses what rules find wrong; warnings are for the service to give. */
function refuse(kind: 'overlay' | 'missingReference', issues: ReturnType<typeof faceResourceIssues>): void {
  const errors = issues
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => ({ path: printPath(path), message }))
  const [first] = errors
  if (first) throw new ApiError(kind, `${first.path}: ${first.message}`, errors)
}
