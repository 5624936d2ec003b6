import { describe, expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import type { ServiceOptions } from '../../../../src/server/service.ts'
import { action, coupon, folderTemplate, template, variation } from '../../../fixtures/yaml.ts'
import { answering } from '../../../support/action-handler.ts'
import { lossy } from '../../../support/lossy.ts'
import { codeFor } from '../../../support/service.ts'
import { serving } from '../../../support/serving.ts'
import { type Desk, publisher } from '../../../support/vatom.ts'

const update = action('Update').replace('blockv://v1/Update', 'blockv://custom/privateproperties')

/** A desk with a vAtom of a template that has these actions. */
async function stocked(
  actions: Readonly<Record<string, string>>,
  transport: 'local' | 'network' = 'local',
  wait = true,
  service: Partial<ServiceOptions> = {},
) {
  const desk = await publisher({ transport, service })
  desk.file('coupon.yaml', template().replace('    title: Coupon', '    title: Coupon\n    transferable: true'))
  desk.file('red.yaml', variation())
  await desk.json('template', 'create', 'coupon.yaml')
  await desk.json('variation', 'create', 'red.yaml')
  for (const [name, text] of Object.entries(actions)) {
    desk.file(`${name}.yaml`, `${text}wait: ${wait}\n`)
    await desk.json('action', 'register', `${name}.yaml`)
  }
  const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
  return { ...desk, id }
}

const found = async ({ json }: Desk) => at(await json('discover', '--mine'), 'results', 0)
const color = async (desk: Desk) => at(await found(desk), 'private', 'color')

describe.each(['local', 'network'] as const)('%s', (transport) => {
  test('act performs an action, and says what it did to what', async () => {
    const desk = await stocked({ drop: action('Drop') }, transport)
    const refused = await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={lat: 47.5}')
    expect(refused.err).toContain(`hint: write it as an object: -d geo.pos='{"lat": 47.37, "lon": 8.54}'\n`)
    const { code, out, err } = await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 47.5, "lon": "8.5"}')
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(
      new RegExp(
        `^context .*\\nDrop was performed on ${desk.id} on .*; it is in your inventory: Red coupon, activated, draft, dropped; others see it on the map once its variation is published\\n$`,
      ),
    )
    expect(at(await found(desk), 'vAtom::vAtomType', 'geo_pos', 'coordinates')).toEqual([8.5, 47.5])
  })
})

/** A vAtom of a variation of its own that can be redeemed, seen by its owner unless told otherwise. */
async function redeemable({ json, file }: Desk, visibility: 'owner' | 'public' = 'owner'): Promise<string> {
  const document = {
    template: coupon,
    template_variation: `${coupon}::Free`,
    unpublished: true,
    vatom: { 'vAtom::vAtomType': { redeemable: true, commerce: {}, visibility: { type: visibility } } },
  }
  await json('variation', 'create', file('free.json', JSON.stringify(document)))
  return String(at(await json('emit', `${coupon}::Free`), 'ids', 0))
}

test('a person at a terminal is asked before Redeem, which is final, unless --yes says so', async () => {
  const desk = await stocked({ redeem: action('Redeem'), drop: action('Drop') })
  const id = await redeemable(desk)
  const question = `Redeem is final. Perform it on Coupon ${id}?`
  const act = (args: readonly string[], answers: Readonly<Record<string, string>> = {}) =>
    desk.run(['act', ...args], { tty: true, columns: 200, answers })
  expect(await act(['Redeem', id.slice(0, 8)], { [question]: 'n' })).toMatchObject({
    code: 1,
    err: expect.stringContaining(question),
  })
  for (const [words, told] of [
    [['Redeem', 'nosuch'], 'no vAtom has the id nosuch'],
    [['Redeem', 'abcdef01'], 'No vAtom that you can see has an id that begins with abcdef01'],
    [['Redeem', desk.id], 'redeemable: true'],
  ] as const) {
    const { code, err } = await act(words)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(told) })
    expect(err).not.toContain('is final')
  }
  expect(await act(['Drop', id, '-d', 'geo.pos={"lat": 1, "lon": 2}'])).toMatchObject({ code: 0 })
  expect(await act(['Redeem', id, '--yes'])).toMatchObject({ code: 0, err: expect.not.stringContaining(question) })
})

test('whose own vAtom it is, is asked whether it goes to the platform, and reads that it did', async () => {
  const desk = await stocked({ redeem: action('Redeem') })
  const id = await redeemable(desk)
  const question = `Redeem is final. Perform it on Coupon ${id}? It is yours: it goes to the platform.`
  const { code, err } = await desk.run(['act', 'Redeem', id], { tty: true, columns: 200, answers: { [question]: 'y' } })
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/Redeem was performed on .*; it went to the platform; it is no longer in your/),
  })
})

test('a person at a terminal is asked before a vAtom is given away, or a package opened, which is then gone', async () => {
  const desk = await stocked({ transfer: action('Transfer'), open: action('Open') })
  const box = template('$publisher::Box::v1').replace('vAtom::vAtomType\n', 'vAtom::vAtomType::PackageContainerType\n')
  await desk.json('template', 'create', desk.file('box.yaml', box))
  const boxed = variation('$publisher::Box::v1::Red', '$publisher::Box::v1')
  await desk.json('variation', 'create', desk.file('boxed.yaml', boxed))
  const open = action('Open').replace('Coupon', 'Box')
  await desk.json('action', 'register', desk.file('unbox.yaml', `${open}wait: true\n`))
  const parcel = String(at(await desk.json('emit', 'local.vatom::Box::v1::Red'), 'ids', 0))
  await desk.json('user', 'register', '--email', 'friend@example.com')
  for (const [what, words] of [
    ['Transfer to friend@example.com', ['Transfer', desk.id, '-d', 'new.owner.email=friend@example.com']],
    ['Open', ['Open', parcel]],
  ] as const) {
    const question = `${what} is final. Perform it on Red coupon ${words[1]}?`
    const act = (answer: string) =>
      desk.run(['act', ...words], { tty: true, columns: 200, answers: { [question]: answer } })
    expect(await act('n')).toMatchObject({ code: 1, err: expect.stringContaining(question) })
    expect(await act('y')).toMatchObject({ code: 0, err: expect.stringContaining(`${words[0]} was performed on`) })
  }
})

test.each(['local', 'network'] as const)('act says where the vAtom went on the %s transport', async (transport) => {
  const desk = await stocked({ redeem: action('Redeem'), transfer: action('Transfer') }, transport)
  const id = await redeemable(desk)
  const redeemed = await desk.vatom('act', 'Redeem', id)
  expect(redeemed.err).toMatch(/Redeem was performed on .*; it is no longer in your inventory\n$/)
  await desk.json('user', 'register', '--email', 'friend@example.com')
  const sent = await desk.vatom('act', 'Transfer', desk.id, '-d', 'new.owner.email=friend@example.com')
  expect(sent.err).toMatch(/Transfer was performed on .*; it went to friend@example\.com\n$/)
})

test('act says where a clone went, and that what was cloned stays', async () => {
  const desk = await publisher()
  desk.file('catalog/coupon.yaml', template(undefined, 'cloneable: true\n'))
  desk.file('catalog/red.yaml', variation())
  desk.file('catalog/clone.yaml', `${action('Clone')}wait: true\n`)
  await desk.json('apply', 'catalog', '--yes')
  const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
  await desk.json('user', 'register', '--email', 'friend@example.com')
  const { code, err } = await desk.vatom('act', 'Clone', id, '-d', 'new.owner.email=friend@example.com')
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/; it is in your inventory: .*; its clone went to friend@example\.com\n$/),
  })
})

test('for a recipient who is no merchant, the hint says who can redeem, and how a user becomes a merchant', async () => {
  const desk = await stocked({ redeem: action('Redeem') })
  await desk.json('user', 'register', '--email', 'friend@example.com')
  const id = await redeemable(desk)
  const { code, err } = await desk.vatom('act', 'Redeem', id, '--yes', '-d', 'new.owner.email=friend@example.com')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      'hint: give the address of a merchant, or none: then the vAtom goes to the platform; where vatom serve runs, to make a user one: vatom api PATCH __vatom/users/ID -F is_merchant=true\n',
    ),
  })
})

test('a vAtom that its former owner still sees is reported as one that they do not', async () => {
  const desk = await stocked({ redeem: action('Redeem'), transfer: action('Transfer') })
  await desk.json('user', 'register', '--email', 'friend@example.com')
  const [first, second] = [await redeemable(desk, 'public'), String(at(await desk.json('emit', 'Free'), 'ids', 0))]
  const given = await desk.vatom('act', 'Transfer', first, '-d', 'new.owner.email=friend@example.com')
  expect(given.err).toMatch(/; it went to friend@example\.com\n$/)
  const redeemed = await desk.vatom('act', 'Redeem', second)
  expect(redeemed.err).toMatch(/; it is no longer in your inventory\n$/)
})

test.each(['local', 'network'] as const)(
  'what is not waited for is accepted, not performed, on the %s transport',
  async (transport) => {
    const desk = await stocked({ transfer: action('Transfer'), drop: action('Drop') }, transport, false)
    const unknown = await desk.vatom('act', 'Transfer', desk.id, '-d', 'new.owner.email=friend@example.com')
    expect(unknown).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no user has friend@example.com') })
    expect(unknown.err).not.toMatch(/accepted|performed/)
    const { code, err } = await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 47.5, "lon": 8.5}')
    expect(code).toBe(0)
    expect(err).toMatch(
      new RegExp(
        `is not waited for.*\nDrop was accepted for ${desk.id} on .*; what it changes: vatom show ${desk.id}; if it fails, only the log of the service says so\n$`,
      ),
    )
    expect(err).not.toContain('performed')
  },
)

test.each(['local', 'network'] as const)(
  'act says what is in the folder that it gives away, drops or picks up, on the %s transport',
  async (transport) => {
    const desk = await stocked({}, transport)
    const movable = '    title: Coupon\n    transferable: true'
    const box = folderTemplate('$publisher::Box::v1', `[{ template_variation: '${coupon}::Red', count: 3 }]`)
    desk.file('box.yaml', box.replace('    title: Coupon', movable))
    desk.file('set.yaml', variation('$publisher::Box::v1::Set', '$publisher::Box::v1'))
    const actions = ['Transfer', 'Drop', 'Pickup'].map((name) => `${action(name)}wait: true\n`).join('---\n')
    desk.file('actions.yaml', actions.replaceAll('Coupon', 'Box'))
    await desk.json('apply', 'box.yaml', 'set.yaml', 'actions.yaml', '--yes')
    const id = String(at(await desk.json('emit', 'Set'), 'ids', 0))
    await desk.json('user', 'register', '--email', 'friend@example.com')
    for (const [name, input] of [
      ['Drop', 'geo.pos={"lat": 1, "lon": 2}'],
      ['Pickup', undefined],
      ['Transfer', 'new.owner.email=friend@example.com'],
    ] as const) {
      const args = ['act', name, id, ...(input ? ['-d', input] : [])]
      const dry = await desk.vatom(...args, '--dry-run')
      expect(dry.out).toMatch(new RegExp(`Would perform ${name} on ${id} on .*, with 3 vAtoms inside\n$`))
      const { code, err } = await desk.vatom(...args)
      expect({ code, err }).toEqual({
        code: 0,
        err: expect.stringMatching(`${name} was performed .*, with 3 vAtoms inside; it`),
      })
    }
  },
)

test('act does not say of a vAtom without contents what is inside', async () => {
  const desk = await stocked({ drop: action('Drop') })
  const { err } = await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 1, "lon": 2}')
  expect(err).not.toContain('inside')
})

test('a Transfer that is not waited for takes the vAtom out of the inventory: no command shows it then', async () => {
  const desk = await stocked({ transfer: action('Transfer') }, 'local', false)
  await desk.json('user', 'register', '--email', 'friend@example.com')
  const { code, err } = await desk.vatom('act', 'Transfer', desk.id, '-d', 'new.owner.email=friend@example.com')
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/was accepted .*; afterwards the vAtom is no longer listed in vatom inventory\n$/),
  })
  expect(err).not.toContain('vatom show')
})

test('the beginning of an id before the action is a matter of order', async () => {
  const desk = await publisher()
  expect(await desk.vatom('act', 'cc25dc71', 'Transfer', '-d', 'new.owner.email=a@b.example')).toMatchObject({
    code: 2,
    err: expect.stringContaining('hint: run: vatom act Transfer cc25dc71'),
  })
})

test('act prints the output, and under --json the payload', async () => {
  const open = action('Discover').replace('v1/Discover', 'v1/Uncombine')
  const desk = await stocked({ open })
  const { out } = await desk.vatom('act', 'Discover', desk.id)
  expect(JSON.parse(out)).toEqual({ ids: [] })
  expect(await desk.json('act', 'Discover', desk.id)).toEqual({ main: { output: out.trimEnd() } })
})

test.each([
  [['-d', 'private.color=green'], '', 'green'],
  [['-d', 'private.color=12'], '', 12],
  [['-d', 'private.color=true'], '', true],
  [['-d', 'private.color=null'], '', null],
  [['-d', 'private.color=[1, {"a": 2}]'], '', [1, { a: 2 }]],
  [['-d', 'private.color={x'], '', '{x'],
  [['-d', 'private.color=a=b'], '', 'a=b'],
  [['--data', '-'], '{"private.color": "green"}', 'green'],
  [['--data', 'inputs.yaml'], '', 'yellow'],
  [['--data', 'inputs.yaml', '-d', 'private.color=green'], '', 'green'],
])('act sends what %j says', async (flags, stdin, expected) => {
  const desk = await stocked({ update })
  desk.file('inputs.yaml', 'private.color: yellow\n')
  expect(await desk.run(['act', 'Update', desk.id, ...flags], { stdin })).toMatchObject({ code: 0 })
  expect(await color(desk)).toEqual(expected)
})

/** How the service logs that a vAtom and its actions are read. */
const reading = 'POST /v1/user/vatom/get '

describe('before anything but what the action is was asked of the service', () => {
  test.each([
    [['Transfer', 'ID'], /Transfer needs new\.owner\.email or .* or new\.owner\.id/, /-d new\.owner\.email=/],
    [
      ['Transfer', 'ID', '-d', 'new.owner.mail=a@b.example'],
      /takes no new\.owner\.mail/,
      /did you mean new\.owner\.email\?/,
    ],
    [['Transfer', 'ID', '-d', 'owner.id=x'], /takes no owner\.id/, /did you mean new\.owner\.id\?/],
    [['Clone', 'ID', '-d', 'new.owner.emial=a@b.example'], /takes no/, /new\.owner\.email\?/],
    [['Drop', 'ID'], /Drop needs geo\.pos/, /-d geo\.pos=/],
    [['Drop', 'ID', '-d', 'geopos=1'], /takes no geopos/, /did you mean geo\.pos\?/],
    [
      ['Drop', 'ID', '-d', 'geo.pos.lat=', '-d', 'geo.pos.lon=8'],
      /Drop takes geo\.pos as a whole, not geo\.pos\.lat/,
      /give it: -d geo\.pos='\{"lat": 47\.37, "lon": 8\.54\}'/,
    ],
    [
      ['Transfer', '-', '-d', 'new.owner.email=a@b.example'],
      /performed on one vAtom, so - cannot stand for ids/,
      /while read -r id; do vatom act Transfer "\$id"; done/,
    ],
    [['Combine', 'ID'], /Combine needs child\.id or vatom\.ids/, /-d child\.id=/],
    [['Update', 'ID'], /Update needs private\.NAME/, /-d private\.NAME=/],
    [['Drop', 'ID', '-d', 'x'], /-d x is not a field/, /KEY=VALUE/],
    [['Drop', 'ID', '-d', 'a=1', '-d', 'a=2'], /a is given twice/, /--data/],
    [['Drop', 'ID', '-d', 'geo.pos=1', '-d', 'this.id=1'], /this\.id cannot be an input/, /after the action/],
  ])('%j is a usage error', async (words, message, hint) => {
    const lines: string[] = []
    const desk = await publisher({ service: { log: (line) => lines.push(line) } })
    const { code, out, err } = await desk.vatom('act', ...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
    expect(err).toMatch(hint)
    expect(lines.filter((line) => !line.startsWith(reading))).toEqual([])
  })

  test.each([
    ['- 1\n', 3],
    ['a: [\n', 3],
  ])('inputs that are no object are invalid: %j', async (text, code) => {
    const desk = await publisher()
    desk.file('inputs.yaml', text)
    expect(await desk.vatom('act', 'Do', 'ID', '--data', 'inputs.yaml')).toMatchObject({ code, out: '' })
  })
})

test('inputs of actions that are no standard ones, and with --any-input of those, are sent as they are', async () => {
  const desk = await stocked({ update, paint: update.replaceAll('Action::Update', 'Action::Paint') })
  const sent = await desk.vatom('act', 'Paint', desk.id, '-d', 'private.color=green', '-d', 'new.owner.mail=1')
  expect(sent).toMatchObject({
    code: 0,
    err: expect.stringMatching(/warning: new\.owner\.mail has no effect: .* does not use it/),
  })
  expect(await color(desk)).toBe('green')
  const input = ['-d', 'private.color=red', '-d', 'privat=1']
  expect(await desk.vatom('act', 'Update', desk.id, ...input)).toMatchObject({ code: 2 })
  expect(await desk.vatom('act', 'Update', desk.id, ...input, '--any-input')).toMatchObject({ code: 0 })
  expect(await color(desk)).toBe('red')
})

test('an id before the action is an error that names the command, in whatever case the action is', async () => {
  const desk = await stocked({ update })
  for (const [id, name] of [
    [desk.id, 'Transfer'],
    [desk.id.slice(0, 8), 'transfer'],
    [desk.id, 'transfer'],
  ] as const)
    expect(await desk.vatom('act', id, name)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`hint: run: vatom act Transfer ${id}\n`),
    })
})

test('what the service refuses is told with what to do next', async () => {
  const desk = await stocked({ update, drop: action('Drop') })
  const none = await desk.vatom('act', 'Stamp', desk.id)
  expect(none).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/its actions: Update, Drop/) })
  const gone = await desk.vatom('act', 'Pickup', 'nothing')
  expect(gone).toMatchObject({ code: 1, err: expect.stringMatching(/vatom inventory/) })
  const refused = await desk.run(['act', 'Update', desk.id, '-d', 'private.colour=red', '--json'])
  expect(refused).toMatchObject({ code: 1 })
  expect(JSON.parse(refused.out)).toMatchObject({ error: { code: 'invalid', issues: [{ path: 'private.colour' }] } })
})

test('an action with a misspelled reactor, and a misspelled action, name what may be meant', async () => {
  const desk = await stocked({ drop: action('Drop').replace('blockv://v1/Drop', 'blockv://v1/Dropp'), update })
  const { code, err } = await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 1, "lon": 2}')
  expect({ code, hint: err.split('hint: ')[1] }).toEqual({
    code: 1,
    hint: `did you mean blockv://v1/Drop? correct it: vatom action update ${coupon}::Action::Drop --reactor blockv://v1/Drop\n`,
  })
  await desk.json('action', 'update', `${coupon}::Action::Drop`, '--reactor', 'blockv://v1/Drop')
  expect(await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 1, "lon": 2}')).toMatchObject({ code: 0 })
  const misspelled = await desk.vatom('act', 'update', desk.id)
  expect(misspelled.err).toContain('hint: did you mean Update? its actions: Drop, Update\n')
  const swapped = await desk.vatom('act', desk.id, 'Drop')
  expect(swapped).toMatchObject({ code: 2, err: expect.stringContaining(`hint: run: vatom act Drop ${desk.id}\n`) })
})

test('what is inside a vAtom, and where it went, is one request more each, and none where nobody reads it', async () => {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const desk = await stocked({ drop: action('Drop'), pickup: action('Pickup') }, 'network', true, { log })
  const requests = async (...words: readonly string[]) => {
    lines.length = 0
    expect(await desk.vatom(...words)).toMatchObject({ code: 0 })
    return lines.map((line) => line.split(' ').slice(0, 2).join(' '))
  }
  const performed = (name: string) => `POST /v1/user/vatom/action/${name}`
  expect(await requests('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 1, "lon": 2}')).toEqual([
    'POST /v1/user/vatom/get',
    performed('Drop'),
    `GET /v1/vatoms/${desk.id}`,
  ])
  expect(await requests('act', 'Pickup', desk.id, '--quiet')).toEqual([performed('Pickup')])
})

test('an action without a handler says how to register one, not which actions there are', async () => {
  const desk = await stocked({ stamp: action('Stamp').replace('blockv://v1/Stamp', 'acme://stamp') })
  const { code, err } = await desk.vatom('act', 'Stamp', desk.id)
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('vatom action handler register --reactor acme://stamp --url URL\n'),
  })
  expect(err).not.toContain('its actions')
  const url = 'http://127.0.0.1:1/stamp'
  await desk.json('action', 'handler', 'register', '--reactor', 'acme://stamp', '--url', url)
  expect((await desk.vatom('act', 'Stamp', desk.id)).err).toContain('at 127.0.0.1:1 failed: ECONNREFUSED')
})

test('a position can be written as map --around takes it, unless it is to be sent as it is', async () => {
  const desk = await stocked({ drop: action('Drop') })
  const asText = ['act', 'Drop', desk.id, '-d', 'geo.pos=47.5,-8.5']
  const sent = await desk.vatom(...asText, '--any-input')
  expect({ code: sent.code, hints: sent.err.match(/^hint: .*/gm) }).toEqual({
    code: 1,
    hints: [`hint: write it as an object: -d geo.pos='{"lat": 47.37, "lon": 8.54}'`],
  })
  expect(sent.err).toContain('geo.pos must be an object')
  expect(at(await found(desk), 'vAtom::vAtomType', 'dropped')).toBe(false)
  expect(await desk.vatom(...asText)).toMatchObject({ code: 0 })
  expect(at(await found(desk), 'vAtom::vAtomType', 'geo_pos', 'coordinates')).toEqual([-8.5, 47.5])
})

test.each([
  ['.5,-8.', [-8, 0.5]],
  ['47., +.25', [0.25, 47]],
])('a decimal may have no digit before or behind its point: %s', async (text, coordinates) => {
  const desk = await stocked({ drop: action('Drop') })
  expect(await desk.vatom('act', 'Drop', desk.id, '-d', `geo.pos=${text}`)).toMatchObject({ code: 0 })
  expect(at(await found(desk), 'vAtom::vAtomType', 'geo_pos', 'coordinates')).toEqual(coordinates)
  expect(await desk.vatom('map', '--around', text)).toMatchObject({ code: 0, out: expect.stringContaining(desk.id) })
})

test.each(['.,8', '47.5', '47.5,8.5,1', '47,', '47.37 8.54', '0x10,1e1', '[47.37, 8.54]', 'here'])(
  'what is no position is refused before anything is sent: %s',
  async (wrong) => {
    const desk = await publisher()
    const { code, err } = await desk.vatom('act', 'Drop', 'ffffffff', '-d', `geo.pos=${wrong}`)
    expect({ code, err }).toEqual({
      code: 2,
      err: `error: geo.pos must be degrees north and east with a comma between them, or an object with lat and lon\nhint: write it so: -d geo.pos=47.37,8.54, or in quotes: -d geo.pos='{"lat": 47.37, "lon": 8.54}'\n`,
    })
  },
)

test('a position that is not on the earth is refused with the number that is wrong', async () => {
  const desk = await stocked({ drop: action('Drop') })
  const { code, err } = await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos=95,8.54')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('geo.pos.lat must be a number of degrees') })
  expect(err).not.toContain('hint: write it')
})

test('a position is read so for what is Drop under another name, and not for an action of a publisher', async () => {
  const leave = action('Leave').replace('v1/Leave', 'v1/Drop')
  const desk = await stocked({ leave, stamp: ownAction('Stamp') })
  const { vatom, id, json } = desk
  const { asked, url } = await answering({ output: {} })
  await json('action', 'handler', 'register', '--reactor', 'acme://stamp', '--url', url)
  expect(await vatom('act', 'Leave', id, '-d', 'geo.pos=here')).toMatchObject({ code: 2 })
  await vatom('act', 'Stamp', id, '-d', 'geo.pos=1,2')
  expect(asked.map(({ body }) => at(body, 'input', 'geo.pos') ?? body)).toEqual(['1,2'])
  expect(await vatom('act', 'Leave', id, '-d', 'geo.pos=1,2')).toMatchObject({ code: 0 })
  expect(at(await found(desk), 'vAtom::vAtomType', 'geo_pos', 'coordinates')).toEqual([2, 1])
})

test.each([
  ['{"lat": 147.37, "lon": 8.54}', undefined],
  ['{"lat": 47.37, "lng": 8.54}', 'it needs lat and lon, and has lat and lng: -d geo.pos='],
  ['{"latitude": 1}', 'it needs lat and lon, and has latitude: -d geo.pos='],
  ['{}', 'it needs lat and lon, and has nothing: -d geo.pos='],
])('the hint of a position %s says what it lacks', async (position, hint) => {
  const desk = await stocked({ drop: action('Drop') })
  const { code, err } = await desk.vatom('act', 'Drop', desk.id, '-d', `geo.pos=${position}`)
  expect({ code, hint: /^hint: (.*geo\.pos=).*$/m.exec(err)?.[1] }).toEqual({ code: 1, hint })
  expect(err).toMatch(/geo\.pos\.\w+ must be a number of degrees/)
})

test('a vAtom that is dropped already is to be picked up first', async () => {
  const desk = await stocked({ drop: action('Drop') })
  const drop = () => desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 1, "lon": 2}')
  await drop()
  expect((await drop()).err).toContain(`hint: pick it up first: vatom act Pickup ${desk.id}\n`)
})

test('whoever is not the publisher is sent there for an action that cannot be carried out', async () => {
  const policy = 'policy: { pre: [Chek] }\n'
  const desk = await stocked({ drop: `${action('Drop')}${policy}` }, 'network')
  const { id } = (await desk.json('whoami')) as { id: string }
  await desk.json('api', 'PATCH', `/__vatom/users/${id}`, '--field', 'is_admin=false')
  const { err } = await desk.vatom('act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 1, "lon": 2}')
  expect(err).toContain('hint: the publisher of its template has to correct that\n')
})

/** An action of a reactor of the publisher's own, `acme://stamp` for Stamp. */
const ownAction = (name: string) => action(name).replace(`blockv://v1/${name}`, `acme://${name.toLowerCase()}`)

/** The error and the hint of Stamp, which has a handler that cannot be reached, where nothing carries out all that it names. */
async function stampWithout(actions: Readonly<Record<string, string>>) {
  const desk = await stocked(actions)
  const url = 'http://127.0.0.1:1/stamp'
  await desk.json('action', 'handler', 'register', '--reactor', 'acme://stamp', '--url', url)
  const { code, err } = await desk.vatom('act', 'Stamp', desk.id)
  const [, error, hint] = /^error: (.*)\nhint: (.*)\n$/m.exec(err) ?? []
  return { desk, code, error, hint }
}

test.each(['pre', 'post'])('an action whose %s-action does not exist says which is missing', async (stage) => {
  const policy = `policy: { ${stage}: [Chek] }\nabort_on_${stage}_error: true\n`
  const drop = `${action('Stamp').replace('v1/Stamp', 'v1/Uncombine')}${policy}`
  const { code, error, hint } = await stampWithout({ drop, check: ownAction('Check') })
  expect({ code, error, hint }).toEqual({
    code: 1,
    error: `no action is named ${coupon}::Action::Chek`,
    hint: `did you mean Check? the policy of ${coupon}::Action::Stamp names it: correct that, or add the action: vatom action register --name ${coupon}::Action::Chek --reactor REACTOR --wait`,
  })
})

test('a missing pre-action of an action that a handler performs is to be added, not a handler', async () => {
  const { error, hint } = await stampWithout({ stamp: `${ownAction('Stamp')}policy: { pre: [Drop] }\n` })
  expect({ error, hint }).toEqual({
    error: `no action is named ${coupon}::Action::Drop`,
    hint: `the policy of ${coupon}::Action::Stamp names it: correct that, or add the action: vatom action register --name ${coupon}::Action::Drop --reactor blockv://v1/Drop --wait`,
  })
})

test('a pre-action without a handler names its own reactor, not the one that has a handler', async () => {
  const stamp = `${ownAction('Stamp')}policy: { pre: [Note, Check] }\n`
  const actions = { stamp, note: action('Note').replace('v1/Note', 'v1/Uncombine'), check: ownAction('Check') }
  const { desk, error, hint } = await stampWithout(actions)
  const registering = 'vatom action handler register --reactor acme://check --url URL'
  expect({ error, hint }).toEqual({
    error: `no handler is registered for acme://check, the reactor of ${coupon}::Action::Check`,
    hint: `see the handlers: vatom action handler list; to register one: ${registering}`,
  })
  await desk.json(...registering.replace('URL', 'http://127.0.0.1:1/check').split(' ').slice(1))
  expect((await desk.vatom('act', 'Stamp', desk.id)).err).toContain('at 127.0.0.1:1 failed: ECONNREFUSED')
})

test('a pre-action that is missing without ending the action is not what the hint is about', async () => {
  const stamp = `${ownAction('Stamp')}policy: { pre: [Chek], post: [Check] }\nabort_on_pre_error: false\nabort_on_post_error: true\n`
  const actions = { stamp: stamp.replace('acme://stamp', 'blockv://v1/Uncombine'), check: ownAction('Check') }
  const { error, hint } = await stampWithout(actions)
  expect(error).toContain('no handler is registered for acme://check')
  expect(hint).toMatch(/register --reactor acme:\/\/check --url URL$/)
})

test('a handler at a host that is not called is not to be registered once more', async () => {
  const desk = await stocked({ stamp: ownAction('Stamp') })
  const url = 'https://handlers.example/stamp'
  await desk.json('action', 'handler', 'register', '--reactor', 'acme://stamp', '--url', url)
  const { err } = await desk.vatom('act', 'Stamp', desk.id)
  expect(err).toContain('allow it with vatom serve --allow-handler-host')
  expect(err).toContain('to see the handlers: vatom action handler list\n')
  expect(err).not.toContain('handler register')
})

test('for an unknown address that is to redeem, the hint asks for a merchant', async () => {
  const desk = await stocked({ redeem: action('Redeem') })
  const id = await redeemable(desk)
  const { code, err } = await desk.vatom('act', 'Redeem', id, '--yes', '-d', 'new.owner.email=bob@example.com')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('hint: give the address of a merchant, or none'),
  })
  expect(err).not.toContain('user register')
})

test.each(['local', 'network'] as const)(
  '%s: for an unknown e-mail address, the hint makes a guest possible',
  async (transport) => {
    const desk = await stocked({ transfer: action('Transfer') }, transport)
    const to = (key: string, value: string) => desk.vatom('act', 'Transfer', desk.id, '-d', `new.owner.${key}=${value}`)
    const refused = await to('email', 'bob@example.com')
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: '' })
    expect(refused.err).toContain('no user has bob@example.com')
    expect(refused.err).toContain('to register them: vatom user register --email ')
    expect(refused.err).toContain('auto_create_non_existing_recipient: true')
    const [, get = ''] = /(vatom action get \S+ --yaml) > action\.yaml/.exec(refused.err) ?? []
    const yaml = (await desk.vatom(...get.split(' ').slice(1))).out
    desk.file('action.yaml', yaml.replace('config: {}', 'config: {auto_create_non_existing_recipient: true}'))
    expect(refused.err).toContain('vatom action update action.yaml')
    expect(await desk.vatom('action', 'update', 'action.yaml')).toMatchObject({ code: 0 })
    const id = await to('id', '00000000-0000-4000-8000-000000000000')
    expect(id).toMatchObject({ code: 1, err: expect.not.stringContaining('auto_create_non_existing_recipient') })
    expect(await to('email', 'bob@example.com')).toMatchObject({ code: 0 })
  },
)

test('whoever is not the publisher is not told to change the action for an unknown recipient', async () => {
  const desk = await stocked({ transfer: action('Transfer') }, 'network')
  const { id } = (await desk.json('whoami')) as { id: string }
  await desk.json('api', 'PATCH', `/__vatom/users/${id}`, '--field', 'is_admin=false')
  const { code, err } = await desk.vatom('act', 'Transfer', desk.id, '-d', 'new.owner.email=bob@example.com')
  expect({ code, hint: err.split('\nhint: ')[1] }).toEqual({
    code: 1,
    hint: expect.stringMatching(/^to register them: vatom \S* ?.*user register --email bob@example\.com\n$/),
  })
})

test('a dry run does not say that a guest was made', async () => {
  const config = 'config: {auto_create_non_existing_recipient: true}'
  const transfer = action('Transfer').replace('config: {}', '')
  const desk = await stocked({ transfer: `${transfer}${config}\n` })
  const to = ['act', 'Transfer', desk.id, '-d', 'new.owner.email=bob@example.com']
  for (const words of [
    [...to, '--dry-run'],
    [...to, '--yes'],
  ]) {
    const { code, out, err } = await desk.vatom(...words)
    expect({ code, said: out + err }).toEqual({
      code: 0,
      said: expect.stringContaining("bob@example.com is no user's: this makes a guest"),
    })
  }
})

test('what the service warns of stands above the question whether to perform what is final, and once', async () => {
  const config = 'config: {auto_create_non_existing_recipient: true}'
  const desk = await stocked({ transfer: `${action('Transfer').replace('config: {}', '')}${config}\n` })
  const question = `Transfer to bob@example.com is final. Perform it on Red coupon ${desk.id}?`
  const words = ['act', 'Transfer', desk.id, '-d', 'new.owner.email=bob@example.com']
  for (const [answer, code] of [
    ['n', 1],
    ['y', 0],
  ] as const) {
    const asked = await desk.run(words, { tty: true, columns: 200, answers: { [question]: answer } })
    expect(asked).toMatchObject({ code })
    const [before = '', after = ''] = asked.err.split(question)
    expect(before).toContain("bob@example.com is no user's: this makes a guest")
    expect(after).not.toContain('this makes a guest')
  }
})

test('an action that failed without aborting exits 1 all the same', async () => {
  const desk = await stocked({ pickup: `${action('Pickup')}abort_on_main_error: false\n` })
  const { code, out, err } = await desk.vatom('act', 'Pickup', desk.id)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/Pickup failed: .* is not dropped \(code 1645\)/)
})

test('serve calls handlers at the hosts it is told of', async () => {
  const { vatom, opened } = serving()
  await vatom(['serve', '--memory', '--port', '0', '--allow-handler-host', 'a.example', 'b.example'])
  expect(opened[0]?.handlerHosts).toEqual(['a.example', 'b.example'])
})

test('for a vAtom that is not redeemable, the hint names the template that has to say so', async () => {
  const desk = await publisher()
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', variation())
  desk.file('redeem.yaml', action('Redeem'))
  const args = ['apply', 'coupon.yaml', 'red.yaml', 'redeem.yaml', '--yes']
  expect(await desk.vatom(...args)).toMatchObject({ code: 0, err: expect.stringContaining('warning[redeem-action]') })
  const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
  const hint = `hint: its template has to say redeemable: true: ${coupon}`
  expect(await desk.run(['act', 'Redeem', id], { columns: 200 })).toMatchObject({
    code: 1,
    err: expect.stringContaining(hint),
  })
})

test('for a vAtom that was redeemed, no hint has its template changed; who cannot see it reads when it can be', async () => {
  const desk = await stocked({ redeem: action('Redeem'), transfer: action('Transfer') }, 'network')
  const id = await redeemable(desk)
  const registered = await desk.json('user', 'register', '--email', 'friend@example.com')
  const friend = String(at(registered, 'id'))
  const self = at(await desk.json('whoami'), 'id')
  await desk.json('api', 'PATCH', `__vatom/users/${self}`, '-F', 'is_merchant=true')
  const giveAway = () => desk.json('act', 'Transfer', id, '-d', `new.owner.id=${friend}`)
  await giveAway()
  await desk.json('act', 'Redeem', id)
  const again = await desk.run(['act', 'Redeem', id], { columns: 200 })
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('was already redeemed') })
  expect(again.err).not.toContain('hint:')
  await giveAway()
  expect(await desk.run(['act', 'Redeem', id], { columns: 200 })).toMatchObject({
    code: 1,
    err: expect.stringContaining('hint: a vAtom is redeemed once, and only if its template says redeemable: true\n'),
  })
})

test('for an action that its template or variation forbids, the hint names which one has to permit it', async () => {
  const desk = await publisher()
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', variation().replace('title: Red coupon', 'transferable: false'))
  for (const name of ['Clone', 'Transfer']) desk.file(`${name}.yaml`, action(name))
  const args = ['apply', 'coupon.yaml', 'red.yaml', 'Clone.yaml', 'Transfer.yaml', '--yes']
  expect(await desk.vatom(...args)).toMatchObject({ code: 0, err: expect.stringContaining('warning[clone-action]') })
  const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
  const act = async (name: string) =>
    (await desk.run(['act', name, id, '-d', 'new.owner.email=bob@example.com'], { columns: 200 })).err
  expect(await act('Clone')).toContain(`is not cloneable\nhint: its template has to say cloneable: true: ${coupon}\n`)
  expect(await act('Transfer')).toContain(
    `is not transferable\nhint: its variation has to say transferable: true: ${coupon}::Red\n`,
  )
})

test('for an action that the variation is not open for, the hint names what it has to say', async () => {
  const desk = await publisher()
  desk.file('coupon.yaml', template())
  desk.file('red.yaml', `${variation()}public: true\n`)
  desk.file('acquire.yaml', action('AcquirePubVariation').replace('v1/AcquirePubVariation', '$&WithCoins'))
  expect(await desk.vatom('apply', '.', '--publish', '--yes')).toMatchObject({
    code: 0,
    err: expect.stringContaining('warning[acquirepubvariation-action]'),
  })
  const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
  expect(await desk.run(['act', 'AcquirePubVariation', id], { columns: 200 })).toMatchObject({
    code: 1,
    err: expect.stringContaining(`hint: its variation has to say auto_create_on_acquire: true: ${coupon}::Red\n`),
  })
})

test('an action that makes a vAtom of a variation names that, also in a dry run, and the new one', async () => {
  const desk = await publisher()
  desk.file('coupon.yaml', template().replace('unpublished: true', 'unpublished: false'))
  desk.file(
    'red.yaml',
    variation(undefined, undefined, `unpublished: false\npublic: true\nauto_create_on_acquire: true\n`),
  )
  desk.file(
    'acquire.yaml',
    action('AcquirePubVariation', 'wait: true\n').replace('v1/AcquirePubVariation', '$&WithCoins'),
  )
  expect(await desk.vatom('apply', '.', '--publish', '--yes')).toMatchObject({ code: 0 })
  const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
  const words = ['act', 'AcquirePubVariation', id]
  const what = `${id} on local, for a new vAtom of ${coupon}::Red`
  expect((await desk.run([...words, '--dry-run'], { columns: 300 })).out).toContain(
    `perform AcquirePubVariation on ${what}`,
  )
  const { out, err } = await desk.run(words, { columns: 300 })
  const [made] = JSON.parse(out).ids
  expect(err).toContain(`\nAcquirePubVariation was performed on ${what}; you got Red coupon ${made}\n`)
})

test.each(['Trash', 'trash'])(
  'where a template has no action %s, the hint is the command that needs none',
  async (name) => {
    const desk = await stocked({})
    const refused = await desk.run(['act', name, desk.id, '--yes'], { columns: 200 })
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain(`hint: its template has no actions; to trash it: vatom trash ${desk.id}\n`)
    expect(refused.err).not.toContain('action register')
    expect(await desk.vatom('trash', desk.id, '--yes')).toMatchObject({ code: 0 })
  },
)

test('where a template has no action at all, the hint is the command that adds the one that was asked for', async () => {
  const desk = await stocked({})
  const refused = await desk.run(['act', 'Drop', desk.id, '-d', 'geo.pos={"lat": 1, "lon": 2}'], { columns: 200 })
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toContain(
    `hint: its template has no actions; to add this one: vatom action register --name ${coupon}::Action::Drop --reactor blockv://v1/Drop --wait\n`,
  )
})

test.each([
  [[], 'its template has no actions'],
  [['Transfer'], 'its actions: Transfer'],
])(
  'where a published template with the actions %j lacks one, the hint is the command that adds it',
  async (names, has) => {
    const desk = await publisher()
    desk.file('coupon.yaml', template())
    desk.file('red.yaml', variation())
    for (const name of names) desk.file(`${name}.yaml`, action(name))
    expect(await desk.vatom('apply', '.', '--yes')).toMatchObject({ code: 0 })
    const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
    await desk.json('template', 'publish', coupon, '--confirm', coupon)
    const drop = ['--name', `${coupon}::Action::Drop`, '--reactor', 'blockv://v1/Drop', '--wait']
    const register = ['action', 'register', ...drop]
    const act = ['act', 'Drop', id, '-d', 'geo.pos={"lat": 1, "lon": 2}']
    const refused = await desk.run(act, { columns: 200 })
    expect(refused.err).toContain(`hint: ${has}; to add this one: vatom ${register.join(' ')}\n`)
    expect(await desk.vatom(...register)).toMatchObject({ code: 0 })
    expect(await desk.vatom(...act)).toMatchObject({ code: 0 })
  },
)

test('an owner who is not its publisher is not told to add an action to a public template', async () => {
  const { file, json, vatom, run } = await publisher({ transport: 'network' })
  file(
    'coupon.yaml',
    `${template().replace('    title: Coupon', '    title: Coupon\n    transferable: true')}public: true\n`,
  )
  file('red.yaml', variation())
  file('transfer.yaml', action('Transfer'))
  expect(await vatom('apply', '.', '--yes')).toMatchObject({ code: 0 })
  const id = String(at(await json('emit', `${coupon}::Red`), 'ids', 0))
  await json('template', 'publish', coupon, '--confirm', coupon)
  await run(['user', 'register', '--email', 'bob@example.com', '--password-stdin'], { stdin: 'hush-hush' })
  await json('act', 'Transfer', id, '-d', 'new.owner.email=bob@example.com')
  const [, own] = (await json('context', 'list')) as [unknown, { name: string }]
  const login = ['login', '--context', own.name, '--email', 'bob@example.com', '--password-stdin']
  expect(await run(login, { stdin: 'hush-hush' })).toMatchObject({ code: 0 })
  const refused = await vatom('act', 'Pickup', id)
  expect(refused.err).toContain('hint: its actions: Transfer\n')
})

test('a recipient that is empty, as of a shell variable that is not set, is told as that', async () => {
  const desk = await stocked({ transfer: action('Transfer') })
  expect(await desk.vatom('act', 'Transfer', desk.id, '-d', 'new.owner.email=')).toEqual({
    code: 2,
    out: '',
    err: 'error: new.owner.email is empty\nhint: give one; if a shell variable stands there, set the variable\n',
  })
})

test.each([
  [1006, 'vatom profile set --password-stdin'],
  [1015, 'vatom user token verify ADDRESS'],
])('a refusal of who is not activated, or a guest (%i), names the command that changes it', async (error, command) => {
  const desk = await stocked({ transfer: action('Transfer') })
  const { env } = await lossy(desk.service, ({ method }) => (method === 'POST' ? { status: 403, error } : 'answered'))
  const words = ['act', 'Transfer', desk.id, '-d', 'new.owner.email=ann@example.com']
  expect(await desk.run(words, { env })).toMatchObject({ code: 4, err: expect.stringContaining(command) })
})

test('who has one address that is not verified, is named it in the command that verifies it', async () => {
  const desk = await stocked({ transfer: action('Transfer') }, 'network')
  const { env } = await lossy(desk.service, ({ method, url = '' }) =>
    method === 'POST' && url.includes('/action/') ? { status: 403, error: 1015 } : 'answered',
  )
  const act = () => desk.run(['act', 'Transfer', desk.id, '-d', 'new.owner.email=ann@example.com'], { env })
  await desk.json('user', 'token', 'add', 'one@example.com')
  const { err } = await act()
  expect(err).toContain('hint: with the code that was sent to it: vatom user token verify one@example.com\n')
  expect(err).not.toContain('ADDRESS')
  await desk.json('user', 'token', 'add', 'two@example.com')
  expect((await act()).err).toContain('vatom user token verify ADDRESS')
})

test('a guest who does what the hint of a refusal says can perform the action', async () => {
  const desk = await stocked({ transfer: action('Transfer') }, 'network')
  const { vatom, run, json, service, id } = desk
  const [, own] = (await json('context', 'list')) as [unknown, { name: string; base_url: string }]
  await json('login', '--context', 'guest', '--base-url', own.base_url, '--app-id', service.appId, '--guest')
  const guest = String(at(await json('whoami'), 'id'))
  await json('act', 'Transfer', id, '-d', `new.owner.id=${guest}`, '--context', own.name)
  const transfer = () => vatom('act', 'Transfer', id, '-d', 'new.owner.email=publisher@local.vatom')
  const refused = await transfer()
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('guests cannot run') })
  const commands = [...refused.err.matchAll(/\bvatom ([^,;]*)/g)].map(([, line = '']) =>
    line.replace('ADDRESS', 'ann@example.com').split(' '),
  )
  for (const words of commands) {
    const code = words.includes('verify') ? ['--code', await codeFor(service, 'ann@example.com')] : []
    expect(await run([...words, ...code], { stdin: 'hush-hush' })).toMatchObject({ code: 0 })
  }
  expect(await transfer()).toMatchObject({ code: 0 })
})

test('a number of which digits would be lost is refused, and can be given as a text', async () => {
  const desk = await stocked({ update })
  const act = (value: string) => desk.vatom('act', 'Update', desk.id, '-d', `private.color=${value}`)
  const before = await color(desk)
  for (const value of ['6064350000000000123', '1e400'])
    expect(await act(value)).toMatchObject({
      code: 2,
      err: expect.stringMatching(new RegExp(`error: ${value} would be sent as .*\nhint: .*'"${value}"'`)),
    })
  expect(await color(desk)).toEqual(before)
  expect(await act('"6064350000000000123"')).toMatchObject({ code: 0 })
  expect(await color(desk)).toBe('6064350000000000123')
})

test('inputs that are texts can have digits alone', async () => {
  const desk = await stocked({ transfer: action('Transfer') })
  const act = async (input: string) => (await desk.vatom('act', 'Transfer', desk.id, '-d', input)).err
  expect(await act('new.owner.phone_number=41791234567')).toContain('no user has +41791234567')
  expect(await act('new.owner.id=12345678')).toContain('no user has the id 12345678')
})

test.each([
  ['bob@example.com', 'new.owner.email'],
  ['+41791234567', 'new.owner.phone_number'],
])('%s in the place of a user id has a hint how to give it', async (address, input) => {
  const desk = await stocked({ transfer: action('Transfer') })
  expect((await desk.vatom('act', 'Transfer', desk.id, '-d', `new.owner.id=${address}`)).err).toContain(
    `hint: an address is given as ${input}: -d ${input}=${address}\n`,
  )
})

test('inputs that are ids of vAtoms can be their beginnings', async () => {
  const desk = await publisher()
  const { vatom, json } = desk
  const folder = template('$publisher::Bag::v1').replace(/root_type: .*/, '$&::FolderContainerType')
  desk.file('bag.yaml', folder)
  desk.file('coupon.yaml', `${template()}---\n${variation()}`)
  desk.file('set.yaml', variation('$publisher::Bag::v1::Set', '$publisher::Bag::v1'))
  for (const name of ['Combine', 'Split'])
    desk.file(`${name}.yaml`, action(name, 'wait: true\n').replace('Coupon', 'Bag'))
  await json('apply', '.', '--yes')
  const idOf = async (name: string) => String(at(await json('emit', name), 'ids', 0))
  const bag = await idOf('local.vatom::Bag::v1::Set')
  const coins = [await idOf(`${coupon}::Red`), await idOf(`${coupon}::Red`)]
  const [first = '', second = ''] = coins.map((id) => id.slice(0, 8))
  expect(await vatom('act', 'Combine', bag, '-d', `child.id=${first}`)).toMatchObject({ code: 0 })
  expect(await vatom('act', 'Combine', bag, '-d', `vatom.ids=["${second}"]`)).toMatchObject({ code: 0 })
  expect(await vatom('act', 'Split', bag, '-d', `vatom.ids=${first}, ${second}`)).toMatchObject({ code: 0 })
  expect((await vatom('act', 'Combine', bag, '-d', `child.id=${first}`, '--any-input')).code).toBe(1)
})
