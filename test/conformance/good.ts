import type { Operation } from '../../src/contract/api.ts'
import { packageContainer } from '../../src/contract/values.ts'
import {
  action,
  actionName,
  emitted,
  face,
  made,
  type Sent,
  smallFile,
  template,
  templateName,
  type testService,
  variation,
  variationName,
} from '../server/service.ts'

export type World = Awaited<ReturnType<typeof testService>>
/** A request that must succeed: what it sends, the name in its path, and its query. */
export interface Good extends Sent {
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
}

const publishedTemplate = ['POST', '/v1/templates', template({ unpublished: false })] as const
const draftTemplate = ['POST', '/v1/templates', template()] as const
const draftVariation = ['POST', '/v1/template_variations', variation()] as const

/** What must be there for an operation to succeed, and the request; an operation left out does not compile. */
export const good: { readonly [K in Operation]: (world: World) => Good | Promise<Good> } = {
  registerUser: () => ({ body: { user_tokens: [{ token: 'ann@example.com', token_type: 'email' }], password: 'x' } }),
  login: () => ({
    body: { token: 'publisher@local.vatom', token_type: 'email', auth_data: { password: 'vatom-local' } },
  }),
  logout: () => ({}),
  refreshAccessToken: async ({ service }) => ({
    headers: { authentication: (await service.localSession()).refresh_token },
  }),
  getProfile: () => ({}),
  updateProfile: () => ({ body: { first_name: 'Ada' } }),
  discover: async ({ publisher }) => {
    const emission = { template_variation: variationName, num: 1 }
    await made(publisher, draftTemplate, draftVariation, ['POST', '/v1/vatoms', emission])
    return { body: {} }
  },
  registerFace: async ({ publisher }) => {
    await made(publisher, draftTemplate)
    return { body: face() }
  },
  listTemplates: async ({ publisher }) => {
    await made(publisher, draftTemplate)
    return {}
  },
  createTemplate: () => ({ body: template() }),
  getTemplate: async ({ publisher }) => {
    await made(publisher, draftTemplate)
    return { name: templateName }
  },
  updateTemplate: async ({ publisher }) => {
    await made(publisher, draftTemplate)
    return { name: templateName, body: { public: true } }
  },
  deleteTemplate: async ({ publisher }) => {
    await made(publisher, draftTemplate)
    return { name: templateName }
  },
  createVariation: async ({ publisher }) => {
    await made(publisher, publishedTemplate)
    return { body: variation() }
  },
  getVariation: async ({ publisher }) => {
    await made(publisher, draftTemplate, draftVariation)
    return { name: variationName }
  },
  updateVariation: async ({ publisher }) => {
    await made(publisher, publishedTemplate, draftVariation)
    return { name: variationName, body: { unpublished: false } }
  },
  emit: async ({ publisher }) => {
    await made(publisher, draftTemplate, draftVariation)
    return { body: { template_variation: variationName, num: 2 } }
  },
  listFaces: async ({ publisher }) => {
    await made(publisher, draftTemplate, ['POST', '/v1/publisher/face', face()])
    return { query: { template: templateName } }
  },
  updateFace: async ({ publisher }) => {
    await made(publisher, draftTemplate, ['POST', '/v1/publisher/face', face()])
    return { name: await onlyFace(publisher), body: { constraints: { view_mode: 'card' } } }
  },
  deleteFace: async ({ publisher }) => {
    await made(publisher, draftTemplate, ['POST', '/v1/publisher/face', face()])
    return { name: await onlyFace(publisher) }
  },
  registerAction: async ({ publisher }) => {
    await made(publisher, draftTemplate)
    return { body: action() }
  },
  listActions: async ({ publisher }) => {
    await made(publisher, draftTemplate, registeredAction)
    return { query: { template: templateName } }
  },
  getAction: async ({ publisher }) => {
    await made(publisher, draftTemplate, registeredAction)
    return { name: actionName }
  },
  updateAction: async ({ publisher }) => {
    await made(publisher, draftTemplate, registeredAction)
    return { name: actionName, body: { timeout: 5000 } }
  },
  deleteAction: async ({ publisher }) => {
    await made(publisher, draftTemplate, registeredAction)
    return { name: actionName }
  },
  registerActionHandler: () => ({ body: actionHandler }),
  listActionHandlers: async ({ publisher }) => {
    await made(publisher, ['POST', '/v1/publisher/action_handler', actionHandler])
    return {}
  },
  deleteActionHandler: async ({ publisher }) => {
    await made(publisher, ['POST', '/v1/publisher/action_handler', actionHandler])
    return { name: actionHandler.reactor }
  },
  listTemplateActions: async ({ publisher }) => {
    await made(publisher, draftTemplate, registeredAction)
    return { name: templateName }
  },
  uploadAssets: () => ({ files: [smallFile()] }),
  listAssets: async ({ publisher }) => {
    await publisher.call('POST', '/v1/publisher/asset', { files: [smallFile()] })
    return {}
  },
  deleteAsset: async ({ publisher }) => {
    const { payload } = await publisher.call('POST', '/v1/publisher/asset', { files: [smallFile()] })
    return { name: payload[0].id }
  },
  listVariations: async ({ publisher }) => {
    await made(publisher, draftTemplate, draftVariation)
    return {}
  },
  deleteVariation: async ({ publisher }) => {
    await made(publisher, draftTemplate, draftVariation)
    return { name: variationName }
  },
  getVatom: async ({ publisher }) => {
    const [name = ''] = await emitted(publisher, templateName, 1)
    return { name }
  },
  updateVatoms: async ({ publisher }) => {
    const [id = ''] = await emitted(publisher, templateName, 1)
    return { body: { ids: [id], parent_id: '.' } }
  },
  performAction: async ({ publisher }) => {
    const [id = ''] = await emitted(publisher, templateName, 1, { root_type: packageContainer })
    await made(publisher, ['POST', '/v1/publisher/action', action({ wait: true }, 'Open')])
    return { name: 'Open', body: { 'this.id': id } }
  },
}

const registeredAction = ['POST', '/v1/publisher/action', action()] as const
const actionHandler = { reactor: 'local.vatom://stamp', url: 'http://127.0.0.1:9/stamp' }

async function onlyFace({ call }: World['publisher']): Promise<string> {
  const { payload } = await call('GET', `/v1/publisher/face?template=${encodeURIComponent(templateName)}`)
  return payload[0].id
}
