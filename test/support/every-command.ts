import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, expect } from 'vitest'
import { readCommandLine } from '../../src/cli/command-line.ts'
import { createContext } from '../../src/cli/context.ts'
import { loadCommands, topics } from '../../src/cli/words.ts'
import { at } from '../../src/contract/schema/path.ts'
import { png } from '../fixtures/files.ts'
import { action, face, red, template, variation } from '../fixtures/yaml.ts'
import { type transports, type WatchedDesk, watchedDesk } from './desks.ts'
import { newDatabase, newFolder } from './folders.ts'
import { hostWith } from './host.ts'
import { codeFor } from './service.ts'

export const name = 'local.vatom::Coupon::v1'
const drop = `${name}::Action::Drop`
export const final = 'local.vatom::Final::v1'
export const second = 'second@example.com'

/** Commands that write to a service nothing that a desk's records have; tried by themselves. */
export const apart = ['logout', 'user delete']

/** Commands that write neither to a service nor into files of the user's. */
export const others = [
  'validate',
  'preview',
  'plan',
  'plan show',
  'login',
  'whoami',
  'auth token',
  'context list',
  'context use',
  'context add',
  'context remove',
  'profile get',
  'user get',
  'user token list',
  'thread list',
  'thread show',
  'template validate',
  'template list',
  'template get',
  'variation validate',
  'variation list',
  'variation get',
  'variation render',
  'face validate',
  'face list',
  'face select',
  'face get',
  'action validate',
  'action list',
  'action get',
  'action handler list',
  'asset list',
  'discover',
  'map',
  'inventory',
  'show',
  'explain',
  'schema',
  'serve',
  'console',
  'snapshot list',
  'doctor',
  'completion',
  '__complete',
  ...topics,
]

type Words = readonly string[] | ((desk: WatchedDesk) => Promise<readonly string[]>)
interface Write {
  readonly words: Words
  readonly says: string
  /** What a row, or the one result, would come to. */
  readonly would?: string
  readonly localOnly?: true
}

const faceId = async ({ json }: WatchedDesk) => String(at(await json('face', 'list', name), 0, 'id'))
const userId = async ({ json }: WatchedDesk) => String(at(await json('whoami'), 'id'))
const vatomId = async ({ json }: WatchedDesk) => String(at(await json('inventory'), 'vatoms', 0, 'id'))
const folderId = async ({ json }: WatchedDesk) => String(at(await json('inventory'), 'vatoms', 1, 'id'))
const assetId = async ({ json }: WatchedDesk) => String(at(await json('asset', 'list'), 0, 'id'))

/** Every command that writes, by its words; each works on a stocked desk. */
export const writes: Readonly<Record<string, Write>> = {
  'profile set': {
    words: ['--first-name', 'Ada', '--password-stdin'],
    says: 'Would change your profile on PLACE:\nfirst_name: "" -> "Ada"\npassword: changed\n',
    would: 'updated',
  },
  'user register': {
    words: ['--email', 'ann@example.com'],
    says: 'Would register ann@example.com on PLACE\n',
    would: 'created',
  },
  'user reset-password': {
    words: [second],
    says: `Would send ${second} a one-time pin in place of a password on PLACE\n`,
    would: 'updated',
  },
  'user token add': {
    words: ['+41 79 123 45 67'],
    says: 'Would add +41791234567 to your tokens on PLACE\n',
    would: 'created',
  },
  'user token default': {
    words: [second],
    says: `Would make ${second} your default token on PLACE\n`,
    would: 'updated',
  },
  'user token delete': { words: [second], says: `Would delete user token ${second} on PLACE\n`, would: 'deleted' },
  'user token verify': {
    words: async ({ service }) => [second, '--code', await codeFor(service, second)],
    says: `Would verify ${second} on PLACE\n`,
    would: 'updated',
  },
  'user token resend': {
    words: async ({ service }) => {
      // A new one is sent once a minute.
      const { clock } = await service.testControls()
      clock.advance(61_000)
      return [second]
    },
    says: `Would send a new code to ${second} on PLACE\n`,
    would: 'updated',
  },
  'thread send': {
    words: async (desk) => [await userId(desk), 'Hello'],
    says: 'Would send a message to ',
    would: 'created',
  },
  init: { words: ['new'], says: 'Would write new/new.yaml\n' },
  'template create': {
    words: ['new.yaml'],
    says: 'Would create template local.vatom::New::v1 (draft) on PLACE\n',
    would: 'created',
  },
  'template update': {
    words: ['changed/coupon.yaml'],
    says: `Would update template ${name} on PLACE: vatom.private.color\n`,
    would: 'updated',
  },
  'template bump': { words: [name, 'stock'], says: `Would bump ${name} to local.vatom::Coupon::v2`, would: 'updated' },
  'template publish': {
    words: [name],
    says: `Would publish template ${name} on PLACE, which is final\n`,
    would: 'published',
  },
  'template delete': {
    words: ['local.vatom::Spare::v1'],
    says: 'Would delete template local.vatom::Spare::v1 with its faces and actions on PLACE\n',
    would: 'deleted',
  },
  apply: {
    words: ['new.yaml'],
    says: '  + template local.vatom::New::v1 (new.yaml)\n',
    would: 'created',
  },
  'variation create': {
    words: ['green.yaml'],
    says: `Would create variation ${final}::Green (published, final) on PLACE\n`,
    would: 'published',
  },
  'variation update': {
    words: ['changed/red.yaml'],
    says: `Would update variation ${red} on PLACE: vatom.private.color\n`,
    would: 'updated',
  },
  'variation publish': {
    words: [`${final}::Red`],
    says: `Would publish variation ${final}::Red on PLACE, which is final\n`,
    would: 'published',
  },
  'variation delete': { words: [red], says: `Would delete variation ${red} on PLACE\n`, would: 'deleted' },
  'face register': {
    words: ['card.yaml'],
    says: `Would register face ${name} card, generic, high, native://image on PLACE\n`,
    would: 'created',
  },
  'face update': {
    words: ['changed/face.yaml'],
    says: 'Would update face ',
    would: 'updated',
  },
  'face delete': {
    words: async (desk) => [await faceId(desk)],
    says: 'Would delete face ',
    would: 'deleted',
  },
  'action register': {
    words: ['pickup.yaml'],
    says: `Would register action ${name}::Action::Pickup on PLACE\n`,
    would: 'created',
  },
  'action update': {
    words: [drop, '--wait'],
    says: `Would update action ${drop} on PLACE: wait\n`,
    would: 'updated',
  },
  'action delete': { words: [drop], says: `Would delete action ${drop} on PLACE\n`, would: 'deleted' },
  'action handler register': {
    words: ['--reactor', 'acme://new', '--url', 'https://acme.example'],
    says: 'Would register action handler acme://new on PLACE\n',
    would: 'created',
  },
  'action handler delete': {
    words: ['acme://stamp'],
    says: 'Would delete action handler acme://stamp on PLACE\n',
    would: 'deleted',
  },
  'asset upload': { words: ['note.txt'], says: 'Would upload note.txt (5 B) to PLACE\n', would: 'created' },
  'asset delete': {
    words: async (desk) => [await assetId(desk)],
    says: 'Would delete asset ',
    would: 'deleted',
  },
  act: {
    words: async (desk) => ['Drop', await vatomId(desk), '-d', 'geo.pos={"lat":47,"lon":8}'],
    says: 'Would perform Drop on ',
    would: 'updated',
  },
  trash: { words: async (desk) => [await vatomId(desk)], says: 'Would trash vAtom ', would: 'deleted' },
  update: {
    words: async (desk) => [await vatomId(desk), '--folder', await folderId(desk)],
    says: 'Would move vAtom ',
    would: 'updated',
  },
  'profile avatar': { words: ['me.png'], says: 'Would upload me.png as your avatar to PLACE\n', would: 'updated' },
  emit: { words: [red, '--num', '3'], says: `Would emit 3 vAtoms of ${red} on PLACE\n`, would: 'created' },
  api: {
    words: ['PATCH', 'v1/user', '-f', 'first_name=Ada'],
    says: 'Would send PATCH /v1/user to PLACE\n',
    would: 'updated',
  },
  pull: {
    words: ['new'],
    says: `Would write template ${name} (new/coupon.yaml)\n`,
    would: 'created',
  },
  'snapshot save': { words: ['two'], says: 'Would save two\n', would: 'created', localOnly: true },
  'snapshot load': {
    words: ['one'],
    says: 'Would replace all data of the local context (',
    would: 'updated',
    localOnly: true,
  },
  'snapshot delete': { words: ['one'], says: 'Would delete the snapshot one of ', would: 'deleted', localOnly: true },
  reset: {
    words: [],
    says: 'Would delete all data of the local context: 4 templates, 3 variations, 2 vAtoms, 1 asset\n',
    would: 'deleted',
    localOnly: true,
  },
}

/** What real runs need beyond what a dry run does, which asks nothing. */
export const answers: Readonly<Record<string, readonly string[]>> = {
  'template publish': ['--confirm', name],
  'variation publish': ['--confirm', `${final}::Red`],
  'variation create': ['--confirm', `${final}::Green`],
}
export const takesYes = /trash|delete|snapshot load|reset|apply/

/** A desk with something of everything, on its service and in its files. */
export type Stocked = (transport: (typeof transports)[number]) => Promise<WatchedDesk>

/** Makes such desks, each a copy of one, for as long as a test file takes. */
export function stockOfEverything(): Stocked {
  const stock = mkdtempSync(join(tmpdir(), 'vatom-test-'))
  afterAll(() => rmSync(stock, { recursive: true }))
  let filled: Promise<void> | undefined
  return async (transport) => {
    filled ??= fillStock(stock)
    await filled
    const folder = newFolder()
    cpSync(join(stock, 'service'), folder, { recursive: true })
    const desk = await watchedDesk(transport, { db: join(folder, 'service.db') })
    // Over the network, the session that the desk has already stays.
    cpSync(join(stock, 'home'), desk.home, { recursive: true, force: false, errorOnExist: true })
    desk.changes()
    return desk
  }
}

async function fillStock(stock: string): Promise<void> {
  const db = newDatabase()
  const { file, json, vatom, home, service } = await watchedDesk('local', { db })
  file('stock/coupon.yaml', template())
  file('stock/red.yaml', variation())
  file('stock/face.yaml', face())
  file('stock/drop.yaml', action('Drop'))
  file('more/spare.yaml', template('$publisher::Spare::v1'))
  file('more/final.yaml', template('$publisher::Final::v1'))
  file('more/box.yaml', template('$publisher::Box::v1').replace(/root_type: .*/, '$&::FolderContainerType'))
  file('more/box-plain.yaml', variation('$publisher::Box::v1::Plain', '$publisher::Box::v1'))
  file('more/final-red.yaml', variation(`${final}::Red`, final))
  file('changed/coupon.yaml', template().replace('blue', 'green'))
  file('changed/red.yaml', variation().replace('color: red', 'color: ruby'))
  file('changed/face.yaml', face().replace('gps: false', 'gps: true'))
  file('new.yaml', template('$publisher::New::v1'))
  file('green.yaml', variation(`${final}::Green`, final, 'unpublished: false\n'))
  file('card.yaml', face(undefined, 'card'))
  file('pickup.yaml', action('Pickup'))
  file('drop-final.yaml', action('Drop', 'wait: true\n').replace('Coupon', 'Final'))
  file('me.png', png)
  file('note.txt', 'hello')
  for (const folder of ['stock', 'more']) {
    await json('template', 'create', folder)
    await json('variation', 'create', folder)
  }
  await json('face', 'register', 'stock')
  await json('action', 'register', 'stock', 'drop-final.yaml')
  await json('emit', '$publisher::Box::v1::Plain')
  await json('emit', `${final}::Red`, '--num', '1')
  await json('template', 'publish', final, '--confirm', final)
  expect(await vatom('snapshot', 'save', 'one')).toMatchObject({ code: 0 })
  await json('action', 'handler', 'register', '--reactor', 'acme://stamp', '--url', 'https://acme.example')
  await json('asset', 'upload', 'note.txt')
  await json('user', 'token', 'add', second)
  await service.close()
  cpSync(dirname(db), join(stock, 'service'), { recursive: true })
  cpSync(home, join(stock, 'home'), { recursive: true })
}

/** Every command of the command line, and its words. */
export async function everyLeaf(): Promise<readonly Leaf[]> {
  const context = await createContext(hostWith(), { timeout: 1, input: false, pager: false }, readCommandLine([]))
  return (await loadCommands(context)).flatMap((command) => leavesOf(command, []))
}

interface Leaf {
  readonly words: string
  readonly command: Command
}

function leavesOf(command: Command, before: readonly string[]): Leaf[] {
  const words = [...before, command.name()]
  const isLeaf = command.commands.length === 0 || command.registeredArguments.length > 0
  const own = isLeaf ? [{ words: words.join(' '), command }] : []
  return [...own, ...command.commands.flatMap((one) => leavesOf(one, words))]
}
