import type { Operation } from '../../src/contract/api/table.ts'
import { packageContainer } from '../../src/contract/values.ts'
import { action, actionName, face, template, templateName, variation, variationName } from '../fixtures/bodies.ts'
import { avatar, smallFile } from '../fixtures/files.ts'
import { grant } from '../support/acting.ts'
import { codeFor, emitted, made, type Sent, type testService } from '../support/service.ts'

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
  createGuest: () => ({}),
  deleteUser: async ({ register }) => {
    const { token } = await register('ann@example.com')
    return { headers: { authorization: `Bearer ${token}` } }
  },
  uploadAvatar: () => ({ files: [avatar()] }),
  getUser: ({ publisher }) => ({ name: publisher.id }),
  getAssetProviders: () => ({}),
  resetPassword: () => ({ body: { token: 'publisher@local.vatom', token_type: 'email' } }),
  resetPasswordById: ({ publisher }) => ({ name: publisher.id }),
  resetVerificationCode: async ({ publisher }) => {
    await made(publisher, secondToken)
    return { body: second }
  },
  verifyUserToken: async ({ publisher, service }) => {
    await made(publisher, secondToken)
    return { body: { ...second, verify_code: await codeFor(service, second.token) } }
  },
  listUserTokens: () => ({}),
  addUserToken: () => ({ body: second }),
  setDefaultUserToken: async ({ publisher }) => ({ name: (await made(publisher, secondToken)).id }),
  deleteUserToken: async ({ publisher }) => ({ name: (await made(publisher, secondToken)).id }),
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
  listLabels: async ({ publisher }) => {
    await made(publisher, draftTemplate, ['PATCH', '/v1/publisher/label', label])
    return {}
  },
  labelRecords: async ({ publisher }) => {
    await made(publisher, draftTemplate)
    return { body: label }
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
  getVatoms: async ({ publisher }) => ({ body: { ids: await emitted(publisher, templateName, 2) } }),
  getInventory: async ({ publisher }) => {
    await emitted(publisher, templateName, 2)
    return { body: { parent_id: '*', limit: 100, page: 1 } }
  },
  getInventoryHash: async ({ publisher }) => {
    await emitted(publisher, templateName, 1)
    return {}
  },
  getInventoryIndex: async ({ publisher }) => {
    await emitted(publisher, templateName, 2)
    return { query: { limit: '1', next_token: '' } }
  },
  geoDiscover: () => ({ body: { ...world, filter: 'all' } }),
  geoDiscoverGroups: () => ({ body: { ...world, precision: 2 } }),
  trashVatom: async ({ publisher }) => {
    const [id = ''] = await emitted(publisher, templateName, 1)
    return { body: { 'this.id': id } }
  },
  listFaceChanges: async ({ publisher }) => {
    await made(publisher, draftTemplate, ['POST', '/v1/publisher/face', face()])
    return { body: { templates: [templateName], since: 0 } }
  },
  listActionChanges: async ({ publisher }) => {
    await made(publisher, draftTemplate, registeredAction)
    return { body: { templates: [templateName], since: 0 } }
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
  myThreads: async ({ publisher }) => {
    await made(publisher, ['POST', '/v1/user/message', { id: publisher.id, message: 'Remember.' }])
    return { body: {} }
  },
  myThreadMessages: async ({ publisher }) => {
    await made(publisher, ['POST', '/v1/user/message', { id: publisher.id, message: 'Remember.' }])
    return { body: { name: `${publisher.id}:` } }
  },
  sendMessage: ({ publisher }) => ({ body: { id: publisher.id, message: 'Remember.' } }),
  requestRedemption: async ({ publisher, service, register }) => {
    const [object_id = ''] = await emitted(publisher, templateName, 1, { redeemable: true, commerce: {} })
    const merchant = await register('merchant@example.com')
    await grant(service, merchant, { is_merchant: true })
    return { headers: { authorization: `Bearer ${merchant.token}` }, body: { object_id } }
  },
  listAccounts: () => ({}),
  setPushNotification: () => ({ body: { fcm_token: 'x', platform_id: 'ios', on: true } }),
  getAppVersion: () => ({}),
  getWallet: () => ({}),
  getInventoryStats: () => ({ body: { template_variations: [variationName] } }),
  listApps: () => ({}),
}

const world = { bottom_left: { lon: -180, lat: -90 }, top_right: { lon: 180, lat: 90 } }
const second = { token: 'second@example.com', token_type: 'email' }
const secondToken = ['POST', '/v1/user/tokens', second] as const
const registeredAction = ['POST', '/v1/publisher/action', action()] as const
const label = { catalog: 'cafe', records: [{ kind: 'template', key: templateName }] }
const actionHandler = { reactor: 'local.vatom://stamp', url: 'http://127.0.0.1:9/stamp' }

async function onlyFace({ call }: World['publisher']): Promise<string> {
  const { payload } = await call('GET', `/v1/publisher/face?template=${encodeURIComponent(templateName)}`)
  return payload[0].id
}
