import type { Operation } from '../../src/contract/api.ts'
import {
  face,
  made,
  type Sent,
  template,
  templateName,
  type testService,
  variation,
  variationName,
} from '../server/service.ts'

export type World = Awaited<ReturnType<typeof testService>>
/** A request that must succeed: what it sends, and the name in its path. */
export interface Good extends Sent {
  readonly name?: string
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
}
