import { expect, test } from 'vitest'
import { catalogDesk } from '../../fixtures/catalog.ts'
import { coupon, face, red, template, variation } from '../../fixtures/yaml.ts'
import { type Fate, lossy } from '../../support/lossy.ts'

const meanwhile = 'was changed by somebody else while this command waited to send its change again'
const green = (document: string) => document.replace(/color: (blue|red)/, 'color: green')
const pink = (document: string) => document.replace(/color: (blue|red)/, 'color: pink')
const forGps = face().replace('resources: [CardImage]', 'resources: []')

const tooMany: Fate = { status: 429, headers: { 'retry-after': '1' } }
/** What a gateway may answer, whether or not it sent the change on, and what a vAtom service does that did nothing. */
const away: Fate = { status: 503, headers: { 'retry-after': '1' } }
const busy: Fate = { ...away, error: 9016 }

/** Runs a command whose first change is refused for now; before the next request, somebody else applies a document. */
async function waiting(document: string, words: (id: string) => readonly string[], refusal = tooMany) {
  let now = new Date('2027-03-01T12:00:00Z')
  const own = await catalogDesk('local', '', { clock: () => now })
  await own.applied()
  own.file('pink.yaml', pink(template()))
  own.file('pink-red.yaml', pink(variation()))
  own.file('gps.yaml', face().replace('display_url: native://image', 'display_url: native://layered-image'))
  own.file('else.yaml', document)
  const [{ id }] = Object(await own.json('face', 'list', coupon))
  const sent: string[] = []
  let isChanged = false
  const { env } = await lossy(own.service, async ({ method, url = '' }) => {
    if (sent.length > 0 && !isChanged) {
      isChanged = true
      now = new Date(now.getTime() + 1000)
      expect(await own.vatom('apply', 'else.yaml', '--yes', '--publish')).toMatchObject({ code: 0 })
    }
    if (method === 'GET' || url.startsWith('/v1/vatom/')) return 'answered'
    return sent.push(`${method} ${url}`) === 1 ? refusal : 'answered'
  })
  const ran = await own.run(words(id), { env, slept: [] })
  return { ...own, ...ran, sent }
}

const commands: readonly (readonly [string, string, (id: string) => readonly string[]])[] = [
  ['template update', green(template()), () => ['template', 'update', 'pink.yaml']],
  ['variation update', green(variation()), () => ['variation', 'update', 'pink-red.yaml']],
  ['face update from a file', forGps, () => ['face', 'update', 'gps.yaml']],
  ['face update from flags', forGps, (id) => ['face', 'update', id, '--quality', 'low']],
  ['template delete', green(template()), () => ['template', 'delete', coupon, '--yes']],
  ['variation delete', green(variation()), () => ['variation', 'delete', red, '--yes']],
  ['face delete', forGps, (id) => ['face', 'delete', id, '--yes']],
]

const everywhere = [
  ...commands.map((one) => [...one, tooMany] as const),
  ...commands.slice(0, 1).map((one) => [...one, busy] as const),
]

test.each(everywhere)('%s leaves what somebody else changed while it waited', async (_, document, words, refusal) => {
  const { code, out, err, sent } = await waiting(document, words, refusal)
  expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
  expect(err).toContain(meanwhile)
  expect(err).toContain('it was left as it is; see what it is now, and run the command again')
  expect(err).not.toContain('may have done')
  expect(out + err).not.toMatch(/Updated|Deleted/)
})

test.each([
  ...commands,
  [
    'template publish',
    green(template()),
    () => ['template', 'publish', coupon, '--confirm', coupon],
  ] as const satisfies (typeof commands)[number],
])('%s that a gateway may have sent on says to check, not that nothing was done', async (_, document, words) => {
  const { code, err, sent } = await waiting(document, words, away)
  expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
  expect(err).toMatch(/was changed (by somebody else|after you were shown it)/)
  expect(err).toContain('hint: the service may have done what was sent: check before you send it again; ')
  expect(err).not.toMatch(/left as it is|nothing was published/)
})

test('template publish leaves what somebody else changed while it waited', async () => {
  const words = ['template', 'publish', coupon, '--confirm', coupon]
  const { code, out, err, sent, json } = await waiting(green(template()), () => words)
  expect({ code, sent }).toMatchObject({ code: 1, sent: [expect.anything()] })
  expect(err).toContain(`The template ${coupon} was changed after you were shown it`)
  expect(out).not.toContain('Published')
  expect(await json('template', 'get', coupon)).toMatchObject({ properties: { unpublished: true } })
})

test.each(commands)('%s is sent again where its own record is as it was', async (_, __, words) => {
  const other = `name: $publisher::Coupon::v1::Action::Drop\nreactor: blockv://v1/Drop\n`
  const { code, err, sent } = await waiting(other, words)
  expect({ code, err, sent }).toMatchObject({ code: 0, sent: [expect.anything(), expect.anything()] })
})

const layered = face().replace('display_url: native://image', 'display_url: native://layered-image')
const done: typeof commands = [
  ['template update', pink(template()), () => ['template', 'update', 'pink.yaml']],
  [
    'template publish',
    template().replace('unpublished: true', 'unpublished: false'),
    () => ['template', 'publish', coupon, '--confirm', coupon],
  ],
  ['face update from flags', layered, (id) => ['face', 'update', id, '--display-url', 'native://layered-image']],
]

test.each(done)('%s does not send again what somebody else has done', async (_, document, words) => {
  const { code, err, sent } = await waiting(document, words)
  expect({ code, err, sent }).toMatchObject({ code: 0, sent: [expect.anything()] })
})

interface Refused {
  readonly look?: Fate
  readonly refusal?: Fate
  readonly meanwhile?: (own: Awaited<ReturnType<typeof catalogDesk>>, id: string) => Promise<unknown>
}

/** Runs a command whose first change is refused for now; what is read after it has a fate, after what others do meanwhile. */
async function refusedFirst(
  words: (id: string) => readonly string[],
  { look = 'answered', refusal = tooMany, meanwhile = async () => {} }: Refused = {},
) {
  const own = await catalogDesk('local')
  await own.applied()
  own.file('gps.yaml', layered)
  const [{ id }] = Object(await own.json('face', 'list', coupon))
  const sent: string[] = []
  let changed: Promise<unknown> | undefined
  const { env } = await lossy(own.service, async ({ method, url = '' }) => {
    if (method !== 'GET' && !url.startsWith('/v1/vatom/'))
      return sent.push(`${method} ${url}`) === 1 ? refusal : 'answered'
    if (sent.length === 0) return 'answered'
    changed ??= meanwhile(own, id)
    await changed
    return look
  })
  return { ...(await own.run(words(id), { env, slept: [] })), sent }
}

test.each(commands.filter(([name]) => name.endsWith('delete')))(
  '%s does not send again what somebody else has deleted',
  async (name, _, words) => {
    const [noun = ''] = name.split(' ')
    const deleted: Refused['meanwhile'] = (own, id) => own.json(noun, 'delete', String(words(id)[2]), '--yes')
    const { code, out, sent } = await refusedFirst(words, { meanwhile: deleted })
    expect({ code, sent: sent.length }).toEqual({ code: 0, sent: 1 })
    expect(out).toMatch(/^Deleted /)
  },
)

test('a face that somebody else has deleted and registered again is another one', async () => {
  const again: Refused['meanwhile'] = async (own, id) => {
    await own.json('face', 'delete', id, '--yes')
    await own.json('face', 'register', own.file('again.yaml', face()))
  }
  const { code, err, sent } = await refusedFirst(() => ['face', 'update', 'gps.yaml'], { meanwhile: again })
  expect({ code, sent: sent.length }).toEqual({ code: 1, sent: 1 })
  expect(err).toContain(meanwhile)
})

const nothing = [
  ['template', 'local.vatom::Cuopon::v1'],
  ['variation', 'local.vatom::Coupon::v1::Rde'],
  ['action', 'local.vatom::Coupon::v1::Action::Trasnfer'],
  ['face', '11111111-1111-4111-8111-111111111111'],
] as const

test.each(nothing)('%s delete of what was never there is sent again, and is no success', async (noun, key) => {
  const { code, out, err, sent } = await refusedFirst(() => [noun, 'delete', key, '--yes'])
  expect({ code, out, sent: sent.length }).toEqual({ code: 1, out: '', sent: 2 })
  expect(err).toMatch(/error: no |error: .*does not exist|error: No such/)
})

test.each(commands.filter(([name]) => /delete|flags/.test(name)))(
  '%s reports why its record could not be looked up, and blames nobody',
  async (_, __, words) => {
    const { code, err, sent } = await refusedFirst(words, { look: { status: 500 } })
    expect({ code, sent: sent.length }).toEqual({ code: 5, sent: 1 })
    expect(err).not.toContain('somebody else')
  },
)

test('a change that a gateway may have sent on, and whose record cannot be looked up, may have been made', async () => {
  const { code, err } = await refusedFirst(() => ['variation', 'delete', red, '--yes'], {
    look: { status: 500 },
    refusal: away,
  })
  expect(code).toBe(5)
  expect(err).toContain('the service may have done what was sent: check before you send it again')
})
