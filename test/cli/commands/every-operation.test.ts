import { describe, expect, test } from 'vitest'
import { api, type Operation, operations, type Row } from '../../../src/contract/api/table.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { coupon, face, red, template, variation } from '../../fixtures/yaml.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

/** Operations that only a publisher's administrator may call. */
type PublisherOperation = {
  [K in Operation]: Row<K>['auth'] extends 'publisher' ? K : never
}[Operation]

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

interface Call {
  /** Commands that come first. */
  readonly after?: readonly (readonly string[])[]
  readonly command: readonly string[] | ((desk: Desk) => Promise<readonly string[]>)
}

/** The command that makes each call; an operation left out does not compile. */
const calls: Readonly<Record<PublisherOperation, Call>> = {
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
  file('transfer.yaml', `name: $publisher::Coupon::v1::Action::Transfer\nreactor: blockv://v1/Transfer\n`)
  file('note.txt', 'a note')
}

/** Requests of an operation in a service's log that succeeded. */
function answered(lines: readonly string[], operation: Operation): readonly string[] {
  const { method, path } = api[operation]
  const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/ ]+')} 200 `)
  return lines.filter((line) => pattern.test(line))
}

const publisherOperations = operations
  .filter(([, { auth }]) => auth === 'publisher')
  .map(([operation]) => operation as PublisherOperation)

describe.each(['local', 'network'] as const)('%s', (transport) => {
  test.each(publisherOperations)('a command calls %s', async (operation) => {
    const lines: string[] = []
    const desk = await publisher({ transport, service: { log: (line) => lines.push(line) } })
    write(desk)
    const { after = [], command } = calls[operation]
    for (const words of after) await desk.json(...words)
    const words = typeof command === 'function' ? await command(desk) : command
    lines.length = 0
    await desk.json(...words)
    expect(answered(lines, operation)).not.toEqual([])
  })
})
