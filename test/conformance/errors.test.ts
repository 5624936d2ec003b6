import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/api/endpoint.ts'
import { ErrorBody } from '../../src/contract/api/envelope.ts'
import { type ErrorName, errorCatalogue } from '../../src/contract/api/errors.ts'
import { type Operation, operations } from '../../src/contract/api/table.ts'
import { limits } from '../../src/contract/limits.ts'
import { definedFolder, type KindName } from '../../src/contract/values.ts'
import { action, face, resource, template, templateName, variation, variationName } from '../fixtures/bodies.ts'
import { avatar } from '../fixtures/files.ts'
import { grant, perform, action as registered } from '../support/acting.ts'
import { type Answer, type Caller, doors, emitted, made, pathOf, type Sent, testService } from '../support/service.ts'
import { actionRefusals } from './action-errors.ts'
import { type Good, good } from './good.ts'

/** A service with two publishers who can pay for no write on a chain, and a user who is no publisher. */
async function openWorld(door: (typeof doors)[number]) {
  const opened = await testService({ publishers: ['local.vatom', 'other.example'], balance: 0 }, door)
  const signedIn = async (): Promise<Caller> => {
    const body = { token: 'publisher@other.example', token_type: 'email', auth_data: { password: 'vatom-local' } }
    const { payload } = await opened.send('POST', '/v1/user/login', { body })
    return opened.as(payload.user.id, payload.access_token.token)
  }
  return { ...opened, other: signedIn, bob: () => opened.register('bob@example.com') }
}
type World = Awaited<ReturnType<typeof openWorld>>
type Call = Caller['call']
interface Row {
  readonly operation: Operation
  readonly row: Endpoint
}
/** Makes what must be there, and the call that is refused. */
type Refusal = (world: World, row: Row) => Promise<Answer>

const ownCall = ({ send, publisher }: World, { auth }: Endpoint): Call =>
  auth === 'none' || auth === 'refresh' ? send : publisher.call

/** The good call of an operation, made ready: what it needs is there. */
async function ready(world: World, { operation, row }: Row) {
  const { name, query, ...sent } = await good[operation](world)
  const path = pathOf(operation, name) + (query ? `?${new URLSearchParams(query)}` : '')
  return (call: Call, changed: Sent = {}) => call(row.method, path, { ...sent, ...changed })
}
/** The good call by another caller, or with another body. */
const goodCall =
  (caller: (world: World, row: Endpoint) => Call | Promise<Call>, changed?: Sent): Refusal =>
  async (world, which) => {
    const again = await ready(world, which)
    return await again(await caller(world, which.row), changed)
  }
/** The good call by another publisher, of what is published: a draft is for others as if it did not exist. */
const byOther: Refusal = async (world, which) => {
  const again = await ready(world, which)
  for (const path of [pathOf('updateTemplate', templateName), pathOf('updateVariation', variationName)])
    await world.publisher.call('PATCH', path, { body: { unpublished: false } })
  return await again((await world.other()).call)
}
const byBob = goodCall(async ({ bob }) => (await bob()).call)
const sending = (body: unknown): Refusal => goodCall(ownCall, { body })
const twice: Refusal = async (world, which) => {
  const again = await ready(world, which)
  expect(await again(ownCall(world, which.row))).toMatchObject({ status: 200 })
  return await again(ownCall(world, which.row))
}
/** The call by the publisher of what else is there, for a name of its own. */
const asking =
  (there: (world: World) => Promise<unknown>, asked: Good = {}): Refusal =>
  async (world, { operation, row }) => {
    await there(world)
    const { name, query, ...sent } = asked
    const path = pathOf(operation, name) + (query ? `?${new URLSearchParams(query)}` : '')
    return await ownCall(world, row)(row.method, path, sent)
  }
const nothing = async () => undefined
type Made = readonly (readonly [string, string, unknown?])[]
const there =
  (...calls: Made) =>
  ({ publisher }: World) =>
    made(publisher, ...calls)

const post = (path: string, body: unknown) => ['POST', path, body] as const
const draft = post('/v1/templates', template())
const published = post('/v1/templates', template({ unpublished: false }))
const draftVariation = post('/v1/template_variations', variation())
const publishedVariation = post('/v1/template_variations', variation({ unpublished: false }))
const onChain = (network: string) => ({ network, fields: {} })
const withChain = post('/v1/templates', template({ eth: onChain('testnet') }))
const coloured = post('/v1/templates', template({}, {}, { colour: 'red' }))
const emission = post('/v1/vatoms', { template_variation: variationName, num: 1 })
const blue = ['PATCH', pathOf('updateVariation', variationName), { vatom: { private: { colour: 'blue' } } }] as const
const iconic = post('/v1/templates', template({}, { resources: [resource('Icon')] }))
const iconFace = post('/v1/publisher/face', face({ resources: ['Icon'] }))
const plain = ['PATCH', pathOf('updateTemplate', templateName), { vatom: template().vatom }] as const
const folderOfNone = post(
  '/v1/templates',
  template(
    { unpublished: false },
    { root_type: definedFolder, child_policy: [{ template_variation: 'local.vatom::None' }] },
  ),
)
const noTemplate = { query: { template: 'local.vatom::None' } }
const login = (fields: object) => ({
  token: 'publisher@local.vatom',
  token_type: 'email',
  auth_data: { password: 'vatom-local' },
  ...fields,
})
const userToken = (fields: object) => ({ token: 'publisher@local.vatom', token_type: 'email', ...fields })
const user = (fields: object) => ({ user_tokens: [{ token: 'ann@example.com', token_type: 'email', ...fields }] })

/** What is refused alike wherever it is declared. */
const common: Partial<Record<ErrorName, Refusal>> = {
  appId: goodCall(ownCall, { headers: { 'app-id': 'unknown' } }),
  unauthorized: goodCall(({ send }) => send, { headers: {} }),
  notPublisher: byBob,
  foreignRecord: byOther,
  notFound: asking(nothing, { name: 'local.vatom::None' }),
  invalid: async (world, which) => {
    const { row, operation } = which
    if (row.body || !row.query) return await goodCall(ownCall, { raw: '{' })(world, which)
    return await ownCall(world, row)(row.method, `${pathOf(operation)}?template=x&limit=x`)
  },
  nameTaken: twice,
}

/** A change or deletion of a record that belongs to another catalog than the request says. */
const ofOther =
  (kind: KindName): Refusal =>
  async (world, which) => {
    const { name: key, body } = await good[which.operation](world)
    await made(world.publisher, ['PATCH', '/v1/publisher/label', { catalog: 'shop', records: [{ kind, key }] }])
    return await asking(nothing, { name: key, body, query: { catalog: 'bar' } })(world, which)
  }

/** What is refused of a deletion. */
const deletions = (kind: KindName): Partial<Record<ErrorName, Refusal>> => ({
  invalid: async (world, which) => {
    const { name } = await good[which.operation](world)
    return await asking(nothing, { name, query: { catalog: '\0' } })(world, which)
  },
  otherCatalog: ofOther(kind),
})

/** What is refused of one operation alone. */
const own: { readonly [K in Operation]?: Partial<Record<ErrorName, Refusal>> } = {
  registerUser: {
    invalidDate: sending({ ...user({}), birthday: '2027-02-30' }),
    invalidEmail: sending(user({ token: 'ann' })),
    invalidPhone: sending(user({ token: 'ann', token_type: 'phone_number' })),
    unknownTokenType: sending(user({ token_type: 'fax' })),
    tokenTaken: twice,
  },
  login: {
    loginFailed: sending(login({ auth_data: { password: 'wrong' } })),
    unknownUser: sending(login({ token: 'nobody@example.com' })),
    unknownTokenType: sending(login({ token_type: 'fax' })),
    loginLocked: async ({ send }, { row }) => {
      const wrong = () => send(row.method, row.path, { body: login({ auth_data: { password: 'wrong' } }) })
      for (let answer = await wrong(); answer.body.error === errorCatalogue.loginFailed.code; ) answer = await wrong()
      return await wrong()
    },
  },
  refreshAccessToken: { refreshToken: goodCall(({ send }) => send, { headers: { authentication: 'none' } }) },
  updateProfile: {
    invalidDate: sending({ birthday: '2027-02-30' }),
    passwordNeeded: sending({ password: '' }),
  },
  deleteUser: { publisherNeeded: goodCall(ownCall, { headers: {} }) },
  uploadAvatar: {
    avatarRefused: goodCall(ownCall, { files: [avatar('no image')] }),
    tooLarge: goodCall(ownCall, { files: [{ ...avatar(), content: () => bytes(limits.avatar + 1) }] }),
  },
  resetPassword: {
    unknownUser: sending(userToken({ token: 'nobody@example.com' })),
    unknownTokenType: sending(userToken({ token_type: 'guest_id' })),
  },
  resetPasswordById: {
    noUserToken: async ({ send, as }, { row }) => {
      const { payload } = await send('POST', '/v1/user/guest')
      const body = { token: payload.properties.guest_id, token_type: 'guest_id' }
      const session = await send('POST', '/v1/user/login', { body })
      const guest = as(payload.id, session.payload.access_token.token)
      return await guest.call(row.method, pathOf('resetPasswordById', payload.id))
    },
  },
  resetVerificationCode: {
    unknownUser: sending(userToken({ token: 'nobody@example.com' })),
    unknownTokenType: sending(userToken({ token_type: 'fax' })),
    tokenConfirmed: sending(userToken({})),
  },
  verifyUserToken: {
    unknownUser: sending(userToken({ token: 'nobody@example.com', verify_code: '1' })),
    unknownTokenType: sending(userToken({ token_type: 'fax', verify_code: '1' })),
    tokenConfirmed: sending(userToken({ verify_code: '1' })),
    wrongCode: sending(userToken({ token: 'second@example.com', verify_code: '1' })),
  },
  addUserToken: {
    unknownTokenType: sending(userToken({ token_type: 'guest_id' })),
    invalidEmail: sending(userToken({ token: 'ann' })),
    invalidPhone: sending(userToken({ token: 'ann', token_type: 'phone_number' })),
    tokenTaken: sending(userToken({})),
  },
  setDefaultUserToken: { unknownUserToken: asking(nothing, { name: 'none' }) },
  deleteUserToken: {
    unknownUserToken: asking(nothing, { name: 'none' }),
    defaultToken: async ({ publisher }, { row }) => {
      const { payload } = await publisher.call('GET', '/v1/user/tokens')
      return await publisher.call(row.method, pathOf('deleteUserToken', payload[0].id))
    },
  },
  registerFace: {
    missingReference: sending(face({ template: 'local.vatom::None' })),
    nameTaken: async (world, { operation, row }) => {
      const { body } = await good.registerFace(world)
      const register = (headers: Record<string, string>) =>
        ownCall(world, row)(row.method, pathOf(operation), { body, headers })
      await register({ 'if-none-match': '*' })
      expect(await register({})).toMatchObject({ status: 200 })
      return await register({ 'if-none-match': '*' })
    },
  },
  listFaces: { missingReference: asking(nothing, noTemplate) },
  updateFace: { missingReference: sending({ resources: ['None'] }), otherCatalog: ofOther('face') },
  updateAction: { otherCatalog: ofOther('action') },
  registerAction: {
    foreignName: sending(action({ name: 'other.example::Coupon::Action::Drop' })),
    missingReference: sending(action({ name: 'local.vatom::None::Action::Drop' })),
  },
  listActions: { missingReference: asking(nothing, noTemplate) },
  uploadAssets: {
    invalid: goodCall(ownCall, { files: [] }),
    tooLarge: goodCall(ownCall, { files: [{ name: 'a.bin', content: () => bytes(limits.asset + 1) }] }),
  },
  createTemplate: {
    foreignName: sending(template({ template: 'other.example::Coupon' })),
    chargesUncovered: sending(template({ eth: onChain('mainnet') })),
  },
  updateTemplate: {
    otherCatalog: ofOther('template'),
    published: asking(there(published), { name: templateName, body: { public: true } }),
    overlay: asking(there(coloured, draftVariation, blue), {
      name: templateName,
      body: { vatom: template({}, {}, { size: 1 }).vatom },
    }),
    missingReference: asking(there(iconic, iconFace, plain), { name: templateName, body: { unpublished: false } }),
    chargesUncovered: sending({ eth: onChain('mainnet') }),
  },
  deleteTemplate: {
    ...deletions('template'),
    moreVatoms: asking(there(draft, draftVariation, emission), { name: templateName, query: { vatoms: '0' } }),
    published: asking(there(published), { name: templateName }),
  },
  createVariation: {
    foreignRecord: async (world, { row }) => {
      await there(published)(world)
      const { call } = await world.other()
      return await call(row.method, row.path, { body: variation({ template_variation: 'other.example::Gold' }) })
    },
    foreignName: sending(variation({ template_variation: 'other.example::Gold' })),
    missingReference: sending(variation({ template: 'local.vatom::None' })),
    overlay: sending(variation({}, undefined, { colour: 'red' })),
    templateDraft: asking(there(draft), { body: variation({ unpublished: false }) }),
    chargesUncovered: asking(there(withChain), { body: variation({ eth: onChain('mainnet') }) }),
  },
  updateVariation: {
    otherCatalog: ofOther('variation'),
    published: asking(there(published, publishedVariation), { name: variationName, body: { public: true } }),
    templateDraft: asking(there(draft, draftVariation), { name: variationName, body: { unpublished: false } }),
    overlay: sending({ vatom: { private: { colour: 'red' } } }),
    missingReference: asking(there(folderOfNone, draftVariation), {
      name: variationName,
      body: { unpublished: false },
    }),
    chargesUncovered: asking(there(withChain, draftVariation), {
      name: variationName,
      body: { eth: onChain('mainnet') },
    }),
  },
  deleteVariation: {
    ...deletions('variation'),
    moreVatoms: asking(there(draft, draftVariation, emission), { name: variationName, query: { vatoms: '0' } }),
    published: asking(there(published, publishedVariation), { name: variationName }),
  },
  deleteFace: deletions('face'),
  deleteAction: deletions('action'),
  emit: {
    missingReference: sending({ template_variation: 'local.vatom::None', num: 1 }),
    draftLimit: sending({ template_variation: variationName, num: limits.draftVatoms + 1 }),
  },
  getVatom: { foreignVatom: byBob, unknownVatom: asking(nothing, { name: 'none' }) },
  trashVatom: {
    notActivated: async (world, { row }) => {
      const { publisher } = world
      const [bob, [id]] = [await world.bob(), await emitted(publisher, 'local.vatom::Held', 1)]
      await registered(publisher, 'local.vatom::Held', 'Transfer')
      await perform(publisher, 'Transfer', id, { 'new.owner.email': 'bob@example.com' })
      return await bob.call(row.method, row.path, { body: { 'this.id': id } })
    },
    foreignVatom: byBob,
    unknownVatom: sending({ 'this.id': 'none' }),
  },
  performAction: {
    ...actionRefusals,
    unhandledAction: async (world, { operation, row }) => {
      const { body } = await good.performAction(world)
      return await world.publisher.call(row.method, pathOf(operation, 'Close'), { body })
    },
    foreignVatom: byBob,
    unknownVatom: sending({ 'this.id': 'none' }),
  },
  myThreadMessages: { foreignThread: byBob },
  sendMessage: { missingReference: sending({ id: 'none', message: 'Hello.' }) },
  requestRedemption: {
    notMerchant: goodCall(ownCall, { headers: {} }),
    unknownVatom: sending({ object_id: 'none' }),
    notRedeemable: async (world, { operation, row }) => {
      const { headers = {} } = await good[operation](world)
      const [object_id = ''] = await emitted(world.publisher, 'local.vatom::Other', 1)
      return await world.publisher.call(row.method, row.path, { headers, body: { object_id } })
    },
    alreadyOwned: async (world, which) => {
      const again = await ready(world, which)
      await grant(world.service, world.publisher, { is_merchant: true })
      return await again(world.publisher.call, { headers: {} })
    },
  },
}

async function* bytes(count: number): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(2 ** 20)
  for (let left = count; left > 0; left -= block.length) yield block.subarray(0, left)
}

/** What takes more requests or more trouble than a test of every operation is for, and where it is tested. */
const elsewhere: readonly string[] = [
  ...operations
    .filter(([, { errors }]) => errors.includes('rateLimited'))
    .map(([operation]) => `${operation} rateLimited: test/server/http/listen.test.ts`),
  'performAction guestRefused: test/server/actions/perform-action.test.ts',
]

const declared = operations.flatMap(([operation, row]) => row.errors.map((error) => ({ operation, row, error })))
const refusalOf = (operation: Operation, error: ErrorName) => own[operation]?.[error] ?? common[error]
const isElsewhere = (operation: Operation, error: ErrorName) =>
  elsewhere.some((told) => told.startsWith(`${operation} ${error}:`))

test('every declared error has a request that is refused with it', () => {
  const without = declared.filter(
    ({ operation, error }) => !refusalOf(operation, error) && !isElsewhere(operation, error),
  )
  expect(without.map(({ operation, error }) => `${operation} ${error}`)).toEqual([])
})
test('no request is here for an error that is not declared', () => {
  const here = Object.entries(own).flatMap(([operation, errors]) =>
    Object.keys(errors).map((error) => `${operation} ${error}`),
  )
  const known = declared.map(({ operation, error }) => `${operation} ${error}`)
  expect(here.filter((pair) => !known.includes(pair))).toEqual([])
})

describe.each(doors)('%s', (door) => {
  test.each(declared.filter(({ operation, error }) => refusalOf(operation, error)))(
    '$operation is refused with $error',
    async ({ operation, row, error }) => {
      const world = await openWorld(door)
      const refusal = refusalOf(operation, error)
      const answer = await refusal?.(world, { operation, row })
      const { status, code } = errorCatalogue[error]
      expect([answer?.status, answer?.body?.error, answer?.text]).toEqual([status, code, expect.any(String)])
      expect(ErrorBody().parse(answer?.body).message).toEqual(expect.stringMatching(/\S/))
      expect(answer?.body).not.toHaveProperty('payload')
      expect((answer?.body.issues ?? []).length > 0).toBe(status === 400)
    },
  )
})

test.each([
  ['/v1/templates', template({ template: '$publisher::Coupon::v1' })],
  ['/v1/template_variations', variation({ template_variation: '$publisher::Coupon::v1::Gold' })],
  ['/v1/publisher/action', action({ name: '$publisher::Coupon::v1::Action::Drop' })],
])('%s: $publisher is replaced by the command line alone', async (path, body) => {
  const { publisher } = await openWorld('in process')
  await made(publisher, draft)
  expect(await publisher.call('POST', path, { body })).toMatchObject({
    status: 400,
    body: { error: errorCatalogue.foreignName.code },
  })
})
