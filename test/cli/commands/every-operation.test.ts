import { describe, expect, test } from 'vitest'
import { operationCommands } from '../../../src/cli/manual/operation-commands.ts'
import { type Operation, operations } from '../../../src/contract/api/table.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { png } from '../../fixtures/files.ts'
import { coupon, face, red, template, variation } from '../../fixtures/yaml.ts'
import { testClock } from '../../support/host.ts'
import { codeFor } from '../../support/service.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const transfer = `${coupon}::Action::Transfer`
const reactor = 'local.vatom://stamp'

const drafts = [
  ['template', 'create', 'coupon.yaml'],
  ['variation', 'create', 'red.yaml'],
] as const
const faces = [...drafts, ['face', 'register', 'icon.yaml']] as const
const actions = [...drafts, ['action', 'register', 'transfer.yaml']] as const
const handlers = [['action', 'handler', 'register', '--reactor', reactor, '--url', 'http://127.0.0.1:9/']] as const
const assets = [['asset', 'upload', 'note.txt']] as const

/** What the only row of a list goes by. */
const idOf = async ({ json }: Desk, ...list: string[]) => String(at(await json(...list), 0, 'id'))

type Words = readonly string[]

interface Call {
  /** Commands that come first. */
  readonly after?: readonly Words[]
  readonly command: Words | ((desk: Desk) => Promise<Words>)
  readonly stdin?: string
  /** Whether only a service on the network is asked: the local context is always signed in. */
  readonly networkOnly?: true
  /** What is answered, if it is not 200. */
  readonly status?: number
}

const second = 'second@example.com'
const tokens = [['user', 'token', 'add', second]] as const
const vatoms = [...drafts, ['emit', red]] as const

const userId = async ({ json }: Desk) => String(at(await json('whoami'), 'id'))
/** The id of a folder that is emitted for it. */
async function folderId({ json, file }: Desk) {
  const folder = template('$publisher::Box::v1').replace('vAtomType\n', 'vAtomType::FolderContainerType\n')
  file('box.yaml', `${folder}---\n${variation('$publisher::Box::v1::Plain', '$publisher::Box::v1')}`)
  await json('apply', 'box.yaml', '--yes')
  return String(at(await json('emit', 'local.vatom::Box::v1::Plain'), 'ids', 0))
}
const vatomId = async ({ json }: Desk) => String(at(await json('inventory'), 'vatoms', 0, 'id'))

/** `login` at a desk's service, in a context of its own. */
const login =
  (...flags: string[]) =>
  async ({ service }: Desk) => {
    const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
    return ['login', '--context', 'other', '--base-url', baseUrl, '--app-id', service.appId, ...flags]
  }

/** The command that sends each operation; an operation left out does not compile. */
const calls: Readonly<Record<Operation, Call>> = {
  registerUser: { command: ['user', 'register', '--email', second] },
  login: { command: login('--email', 'publisher@local.vatom', '--password-stdin'), stdin: 'vatom-local' },
  createGuest: { command: login('--guest') },
  logout: { command: ['logout'], networkOnly: true },
  refreshAccessToken: { command: ['auth', 'token'], networkOnly: true },
  getProfile: { command: ['profile', 'get'] },
  updateProfile: { command: ['profile', 'set', '--first-name', 'Ada'] },
  uploadAvatar: { command: ['profile', 'avatar', 'me.png'] },
  deleteUser: {
    command: async (desk) => {
      await desk.json(...(await login('--guest')(desk)))
      return ['user', 'delete', '--confirm', await userId(desk)]
    },
  },
  getUser: { command: async (desk) => ['user', 'get', await userId(desk)] },
  resetPassword: { command: ['user', 'reset-password', 'publisher@local.vatom', '--yes'] },
  resetPasswordById: { command: async (desk) => ['user', 'reset-password', await userId(desk), '--yes'] },
  listUserTokens: { command: ['user', 'token', 'list'] },
  addUserToken: { command: tokens[0] },
  resetVerificationCode: { after: tokens, command: ['user', 'token', 'resend', second] },
  verifyUserToken: {
    after: tokens,
    command: async ({ service }) => ['user', 'token', 'verify', second, '--code', await codeFor(service, second)],
  },
  setDefaultUserToken: { after: tokens, command: ['user', 'token', 'default', second] },
  deleteUserToken: { after: tokens, command: ['user', 'token', 'delete', second, '--yes'] },
  getVatoms: { after: vatoms, command: async (desk) => ['show', await vatomId(desk)] },
  getInventory: { command: ['inventory'] },
  updateVatoms: {
    after: vatoms,
    command: async (desk) => ['update', await vatomId(desk), '--folder', await folderId(desk)],
  },
  trashVatom: { after: vatoms, command: async (desk) => ['trash', await vatomId(desk), '--yes'] },
  discover: { command: ['discover', '--mine'] },
  geoDiscover: { command: ['map', '--around', '47.37,8.54'] },
  geoDiscoverGroups: { command: ['map', '--groups', '--around', '47.37,8.54'] },
  performAction: {
    after: [...vatoms, ['action', 'register', 'transfer.yaml'], ['user', 'register', '--email', second]],
    command: async (desk) => ['act', 'Transfer', await vatomId(desk), '-d', `new.owner.email=${second}`],
  },
  myThreads: { command: ['thread', 'list'] },
  myThreadMessages: {
    command: async (desk) => {
      const id = await userId(desk)
      await desk.json('thread', 'send', id, 'Remember.')
      return ['thread', 'show', id]
    },
  },
  listLabels: { command: ['plan', 'coupon.yaml'] },
  labelRecords: { command: ['apply', 'labelled', '--yes'] },
  sendMessage: { command: async (desk) => ['thread', 'send', await userId(desk), 'Remember.'] },
  getTemplate: { after: drafts, command: ['template', 'get', coupon] },
  getAssetProviders: { command: ['api', 'GET', 'v1/user/asset_providers'] },
  listAccounts: { command: ['api', 'GET', 'v1/user/accounts'] },
  getWallet: { command: ['api', 'GET', 'v1/user/wallet'] },
  listApps: { command: ['api', 'GET', 'v1/publisher/apps'] },
  getAppVersion: { command: ['api', 'GET', 'v1/general/app/version'] },
  setPushNotification: {
    command: ['api', 'POST', 'v1/user/pushnotification', '-f', 'fcm_token=x', '-f', 'platform_id=ios'],
  },
  getVatom: { after: vatoms, command: async (desk) => ['api', 'GET', `v1/vatoms/${await vatomId(desk)}`] },
  getInventoryHash: { command: ['api', 'GET', 'v1/user/vatom/inventory/hash'] },
  getInventoryIndex: { command: ['api', 'GET', 'v1/user/vatom/inventory/index'] },
  getInventoryStats: { command: ['api', 'POST', 'v1/user/vatom/inventorystats'] },
  listTemplateActions: { after: drafts, command: ['api', 'GET', `v1/user/actions/${coupon}`] },
  listFaceChanges: { command: ['api', 'POST', 'v1/vatom/faces/changes', '--input', 'templates.json'] },
  listActionChanges: { command: ['api', 'POST', 'v1/vatom/actions/changes', '--input', 'templates.json'] },
  // Only a merchant may ask for a redemption.
  requestRedemption: {
    after: vatoms,
    command: async (desk) => [
      'api',
      'POST',
      'v1/user/vatom/request/redemption',
      '-f',
      `object_id=${await vatomId(desk)}`,
    ],
    status: 400,
  },
  listTemplates: { command: ['template', 'list'] },
  createTemplate: { command: ['template', 'create', 'coupon.yaml'] },
  updateTemplate: { after: drafts, command: ['template', 'update', 'changed.yaml'] },
  deleteTemplate: { after: drafts.slice(0, 1), command: ['template', 'delete', coupon, '--yes'] },
  listVariations: { command: ['variation', 'list'] },
  createVariation: { after: drafts.slice(0, 1), command: ['variation', 'create', 'red.yaml'] },
  getVariation: { after: drafts, command: ['variation', 'get', red] },
  updateVariation: { after: drafts, command: ['variation', 'update', 'redder.yaml'] },
  deleteVariation: { after: drafts, command: ['variation', 'delete', red, '--yes'] },
  emit: { after: drafts, command: ['emit', red] },
  registerFace: { after: drafts, command: ['face', 'register', 'icon.yaml'] },
  listFaces: { after: faces, command: ['face', 'list', coupon] },
  updateFace: {
    after: faces,
    command: async (desk) => ['face', 'update', await idOf(desk, 'face', 'list', coupon), '--quality', 'low'],
  },
  deleteFace: {
    after: faces,
    command: async (desk) => ['face', 'delete', await idOf(desk, 'face', 'list', coupon), '--yes'],
  },
  registerAction: { after: drafts, command: ['action', 'register', 'transfer.yaml'] },
  listActions: { after: actions, command: ['action', 'list', coupon] },
  getAction: { after: actions, command: ['action', 'get', transfer] },
  updateAction: { after: actions, command: ['action', 'update', '--name', transfer, '--timeout', '5000'] },
  deleteAction: { after: actions, command: ['action', 'delete', transfer, '--yes'] },
  registerActionHandler: { command: handlers[0] },
  listActionHandlers: { after: handlers, command: ['action', 'handler', 'list'] },
  deleteActionHandler: { after: handlers, command: ['action', 'handler', 'delete', reactor, '--yes'] },
  uploadAssets: { command: assets[0] },
  listAssets: { after: assets, command: ['asset', 'list'] },
  deleteAsset: {
    after: assets,
    command: async (desk) => ['asset', 'delete', await idOf(desk, 'asset', 'list'), '--yes'],
  },
}

function write({ file }: Desk): void {
  file('coupon.yaml', template())
  file('changed.yaml', template().replace('title: Coupon', 'title: Changed'))
  file('red.yaml', variation())
  file('redder.yaml', variation().replace('title: Red coupon', 'title: Redder'))
  file('icon.yaml', face())
  file('labelled/vatom.yaml', 'catalog: cafe\n')
  file('labelled/coupon.yaml', template())
  file('transfer.yaml', `name: $publisher::Coupon::v1::Action::Transfer\nreactor: blockv://v1/Transfer\n`)
  file('note.txt', 'a note')
  file('me.png', png)
  file('templates.json', JSON.stringify({ templates: [coupon] }))
}

interface Request {
  readonly operation?: Operation
  readonly status: number
}

/** The operations in a service's journal since it was cleared, with what was answered. */
async function journal({ service }: Desk): Promise<readonly Request[]> {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${baseUrl}/__vatom/journal`)
  return ((await response.json()) as { readonly payload: readonly Request[] }).payload
}

describe.each(['local', 'network'] as const)('%s', (transport) => {
  const here = operations.map(([name]) => name).filter((name) => transport === 'network' || !calls[name].networkOnly)

  test.each(here)('a command sends %s, the one that the manual names', async (operation) => {
    let now = testClock()
    const desk = await publisher({ transport, clock: () => now })
    write(desk)
    const { after = [], command, stdin = '', status = 200 } = calls[operation]
    for (const words of after) await desk.json(...words)
    // The access token has expired.
    now = new Date(now.getTime() + 600_000)
    const words = typeof command === 'function' ? await command(desk) : command
    const { journal: requests } = await desk.service.testControls()
    requests.clear()
    const { code, err } = await desk.run(words, { stdin })
    expect({ code, err, sent: await journal(desk) }).toMatchObject({
      code: status === 200 ? 0 : 1,
      sent: expect.arrayContaining([expect.objectContaining({ operation, status })]),
    })
    expect(words.join(' ')).toMatch(new RegExp(`^${operationCommands[operation].replace(' --', '( .*)? --')}\\b`))
  })
})

test('only operations that the index of the specification does not name have no command of their own', () => {
  const api = operations.filter(([name]) => operationCommands[name] === 'api').map(([name]) => name)
  // The index names Get vAtom, too: `vatom show` reads vAtoms by their ids, with their faces and actions.
  expect(api.sort()).toEqual(
    [
      'getVatom',
      ...['getAssetProviders', 'listAccounts', 'setPushNotification', 'getAppVersion', 'requestRedemption'],
      ...['getWallet', 'listApps', 'getInventoryStats'],
      ...['listTemplateActions', 'listFaceChanges', 'listActionChanges', 'getInventoryHash', 'getInventoryIndex'],
    ].sort(),
  )
})
