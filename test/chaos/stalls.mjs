import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { optionsOf } from './bounds.mjs'
import { consolePages } from './console-pages.mjs'
import { crowdedWorld, lengthenCategories } from './crowded-world.mjs'
import { registerHandler } from './handlers.mjs'
import { callerOf, freshToken, sessionOf } from './serve.mjs'
import { watchingMap } from './sockets.mjs'
import { otherUser, watchedService } from './watched-service.mjs'

/** Milliseconds of processor time for which no request may hold the event loop. */
const longestHold = 50
/** Milliseconds that are measured after an answer, too: the service may still be at work for it, unseen from outside. */
const rest = 50
/** The same where a thousand sockets are sent events. */
const restOfReaders = 1000
const sockets = 1000
const perGuest = 20

const type = 'vAtom::vAtomType.'
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
const search = (elements, rest = {}) => ({
  route: '/v1/vatom/discover',
  body: {
    ...rest,
    return: { type: 'count' },
    filters: times(Math.ceil(elements.length / 100), (at) => ({
      filter_elems: elements.slice(at * 100, at * 100 + 100),
    })),
  },
})
const element = (field, filter_op, value) => ({ field, filter_op, value })
const world = { bottom_left: { lat: -90, lon: -180 }, top_right: { lat: 90, lon: 180 } }
const manyKeys = () => `{${times(50_000, (at) => `"first_nam${at}":1`).join(',')}}`
const manyWrongKeys = () => `{"filters":[],${times(50_000, (at) => `"filter${at}":1`).join(',')}}`
const stars = (letters) => `*${times(letters, (at) => 'abc'[at % 3]).join('*')}*`

/** An action of the publisher on a folder with many vAtoms. */
const onFolder =
  (name, input = () => ({}), rest = {}) =>
  () => ({
    by: 'publisher',
    route: `/v1/user/vatom/action/${name}`,
    body: (world) => ({ 'this.id': world.folders[rest.size ?? 'large'], ...input(world) }),
    ...rest,
  })
const idleInputs = () => Object.fromEntries(times(3900, (at) => [`k${at}`, 1]))
const toAttacker = ({ attacker }) => ({ 'new.owner.id': attacker.user.id })

const variationRoute = (name) => `/v1/template_variations/${encodeURIComponent(name)}`
const deleteNamed = { by: 'publisher', method: 'DELETE', route: ({ named }) => variationRoute(named.child) }
const ofDraft = { by: 'publisher', route: ({ folders }) => variationRoute(folders.draft) }

const ofPublisher = { by: 'publisher', method: 'DELETE' }
const deleteLimited = {
  ...ofPublisher,
  route: ({ once }) => `/v1/publisher/action/${encodeURIComponent(`${once}::Action::First`)}`,
}
const deleteOnce = { ...ofPublisher, route: ({ once }) => `/v1/templates/${encodeURIComponent(once)}` }
const deleteRunner = { by: 'runner', method: 'DELETE', route: '/v1/user' }

const deleteAddress = { method: 'DELETE', route: '/v1/user/tokens/claimed' }
const holder = { token: 'holder@example.com', token_type: 'email' }

async function sendPin(ready) {
  const call = callerOf(ready)
  await call('POST', '/v1/user/reset_token', holder)
  const sent = await call('GET', '/__vatom/outbox')
  return { pin: sent.findLast(({ to }) => to === holder.token).code }
}

/** Registers a handler for an action of folders that changes nothing. */
const registerQuietHandler = (ready, { template }) =>
  registerHandler(
    ready,
    template.replace('Bench', 'Folder'),
    createServer((request, response) => request.resume().on('end', () => response.end('{}'))),
  )
const askHandler = onFolder('Ask', undefined, { by: 'attacker' })

/** Makes the other user a publisher without records. */
const asPublisher = {
  by: 'other',
  method: 'GET',
  prepare: (ready, { other }) =>
    callerOf(ready)('PATCH', `/__vatom/users/${other.user.id}`, { pub_fqdn: 'other.pub', is_admin: true }),
}

/** Compares a property with values: of vAtoms of 60 KB, which have a long text (`large`) or many properties (`wide`). */
const compared = (category, field, count, op, value) => ({
  route: '/v1/vatom/discover',
  body: {
    return: { type: 'count' },
    scope: { key: `${type}category`, value: category },
    filters: times(count / 20, (group) => ({
      filter_elems: times(20, (at) => ({
        ...element(field(group * 20 + at), op, value(group * 20 + at)),
        bool_op: 'Or',
      })),
    })),
  },
})
const longTexts = (count, op, value) => compared('large', () => 'private.a', count, op, value)
/** A sample by ten values of such vAtoms. */
const sampled = (category, field) => ({
  route: '/v1/vatom/discover',
  body: { scope: { key: `${type}category`, value: category }, sample: 1, group_by: times(10, () => field) },
})
/** A value that a 1 is at least as large as, for the last comparison of twenty. */
const lastHolds = (at) => (at % 20 === 19 ? '1' : '2')
const longValue = (at) => `${'0'.repeat(1000)}${at}x`
const earlyValue = (at) => `${'0'.repeat(at + 1)}x`.padEnd(1024, '0')

/** What one self-registered user asks, and a publisher. */
const requests = {
  '2,000 private Ne': () => search(times(2000, (at) => element(`private.p${at}`, 'Ne', 'x'))),
  '100 private Ne': () => search(times(100, (at) => element(`private.p${at}`, 'Ne', 'x'))),
  '2,000 private Eq': () => search(times(2000, () => ({ ...element('private.a', 'Eq', 'x'), bool_op: 'Or' }))),
  '100 patterns': () => search(times(100, () => ({ ...element('private.a', 'Match', '*n*o*n*e*'), bool_op: 'Or' }))),
  'a pattern of 500 stars': () => search([element(`${type}template`, 'Match', stars(500))]),
  'a pattern of 8 stars': () => search([element(`${type}template`, 'Match', stars(8))]),
  '100 values of 1,000 characters': () => longTexts(100, 'Match', longValue),
  '40 values of 1,000 characters': () => longTexts(40, 'Match', longValue),
  '40 values of 1,000 characters that differ early': () => longTexts(40, 'Match', earlyValue),
  '200 comparisons of a text of 60 KB': () => longTexts(200, 'Ge', (at) => `${at}`),
  '200 comparisons of the last of 6,500 keys': () => compared('wide', () => 'private.n.k6500', 200, 'Ge', lastHolds),
  '200 comparisons of the last 200 of 6,500 keys': () =>
    compared('wide', (at) => `private.n.k${6500 - at}`, 200, 'Ge', lastHolds),
  '20 comparisons of the last of 6,500 keys': () =>
    compared(
      'wide',
      () => 'private.n.k6500',
      20,
      'Ge',
      () => '2',
    ),
  'a sample by ten texts of 60 KB': () => sampled('large', 'private.a'),
  'a sample by ten objects of 6,500 keys': () => sampled('wide', 'private.n'),
  'a path of 400 steps': () => search(times(100, () => element(`private${'.a'.repeat(400)}`, 'Ne', 'x'))),
  'a path of 900,000 characters': () => search([element('private.'.padEnd(900_000, 'a'), 'Ne', 'x')]),
  '100 paths of 500 characters': () => search(times(100, (at) => element(`private.${at}`.padEnd(500, 'a'), 'Ne', 'x'))),
  'a sample by ten paths of 500 characters': () => ({
    route: '/v1/vatom/discover',
    body: { sample: 1, group_by: times(10, (at) => `private.${at}`.padEnd(500, 'a')) },
  }),
  'a path of 8 steps': () => search(times(100, () => element(`private${'.a'.repeat(8)}`, 'Ne', 'x'))),
  'five private values': () => ({
    route: '/v1/vatom/discover',
    body: { scope: { key: 'private.a', value: 'a,b,c,d,e' } },
  }),
  'a page far behind': () => ({ route: '/v1/vatom/discover', body: { limit: 100, page: 900 } }),
  'geo groups': () => ({ route: '/v1/vatom/geodiscovergroups', body: { ...world, precision: 12 } }),
  'geo discover': () => ({ route: '/v1/vatom/geodiscover', body: world }),
  'geo discover, limit 1': () => ({ route: '/v1/vatom/geodiscover', body: { ...world, limit: 1 } }),
  'geo discover of nobody': () => ({ route: '/v1/vatom/geodiscover', body: { ...world, publisher_fqdn: 'no.body' } }),
  'inventory hash': () => ({ method: 'GET', route: '/v1/user/vatom/inventory/hash' }),
  'inventory index': () => ({ method: 'GET', route: '/v1/user/vatom/inventory/index' }),
  'pages of 60 KB records': () => ({ route: '/v1/vatom/discover', body: { limit: 1000 } }),
  'pages of inventory': () => ({ route: '/v1/user/vatom/inventory', body: { limit: 100 } }),
  'large templates': () => ({
    by: 'publisher',
    method: 'GET',
    route: '/v1/templates?limit=1000&fields=name,properties(template(private))',
  }),
  'names of templates far behind': () => ({
    by: 'publisher',
    method: 'GET',
    route: '/v1/templates?limit=1000&page=99',
  }),
  'names of templates, all others’': () => ({ ...asPublisher, route: '/v1/templates?limit=1000' }),
  'names of variations, all others’': () => ({ ...asPublisher, route: '/v1/template_variations?limit=1000' }),
  'variations of a draft': () => ({
    by: 'publisher',
    method: 'GET',
    route: ({ draft }) => `/v1/template_variations?limit=1000&fields=name,properties&template=${draft}`,
  }),
  'changes of faces': () => ({
    by: 'publisher',
    route: '/v1/vatom/faces/changes',
    body: ({ template }) => ({ templates: [template] }),
  }),
  threads: () => ({ route: '/v1/activity/mythreads', body: { count: 1000 } }),
  'messages of a thread': () => ({
    route: '/v1/activity/mythreadmessages',
    body: ({ attacker }) => ({ name: `${attacker.user.id}:x`, count: 1000 }),
  }),
  'the ledger of a publisher far behind': () => ({
    anonymous: true,
    method: 'GET',
    route: '/__vatom/ledger?publisher=local.vatom&limit=1000&page=99',
  }),
  'the ledger far behind': () => ({ anonymous: true, method: 'GET', route: '/__vatom/ledger?limit=1000&page=99' }),
  'users of the service': () => ({ anonymous: true, method: 'GET', route: '/__vatom/users?limit=1000' }),
  'emissions of a template': () => ({
    anonymous: true,
    method: 'GET',
    route: ({ template }) => `/__vatom/emissions/${encodeURIComponent(template)}`,
  }),
  'the API document': () => ({ anonymous: true, method: 'GET', route: '/__vatom/openapi.json' }),
  'the API document again': () => ({ anonymous: true, method: 'GET', route: '/__vatom/openapi.json' }),
  'the outbox': () => ({ anonymous: true, method: 'GET', route: '/__vatom/outbox' }),
  metrics: () => ({ anonymous: true, method: 'GET', route: '/__vatom/metrics' }),
  'the journal': () => ({ anonymous: true, method: 'GET', route: '/__vatom/journal' }),
  '50,000 unknown keys': () => ({ route: '/v1/vatom/discover', text: manyWrongKeys() }),
  '50,000 ignored keys': () => ({ method: 'PATCH', route: '/v1/user', text: manyKeys() }),
  '50,000 keys of a login': () => ({ route: '/v1/user/login', text: manyKeys(), anonymous: true }),
  'a first name of a megabyte': () => ({
    method: 'PATCH',
    route: '/v1/user',
    body: () => ({ first_name: 'a'.repeat(1_000_000) }),
  }),
  'an action with 3,900 inputs that have no effect': onFolder(
    'Transfer',
    (world) => ({ ...idleInputs(), ...toAttacker(world) }),
    {
      by: 'other',
    },
  ),
  'a body of [': () => ({ route: '/v1/vatom/discover', text: '['.repeat(1_000_000) }),
  'a body of {"a":': () => ({ route: '/v1/user/login', text: '{"a":'.repeat(190_000), anonymous: true }),
  'emit 10,000': () => ({
    by: 'publisher',
    route: '/v1/vatoms',
    body: ({ variation }) => ({ template_variation: variation, num: 10_000 }),
  }),
  'emit 1,000': () => ({
    by: 'publisher',
    route: '/v1/vatoms',
    body: ({ variation }) => ({ template_variation: variation, num: 1000 }),
  }),
  'change a draft with 1,000 variations': () => ({
    by: 'publisher',
    method: 'PATCH',
    route: ({ draft }) => `/v1/templates/${encodeURIComponent(draft)}`,
    body: () => ({ vatom: { 'vAtom::vAtomType': { title: 'Other', root_type: 'vAtom::vAtomType' } } }),
  }),
  'delete a draft with 1,000 variations': () => ({
    by: 'publisher',
    method: 'DELETE',
    route: ({ draft }) => `/v1/templates/${encodeURIComponent(draft)}`,
  }),
  'dry run: delete a draft that 20,000 others name': () => ({ ...deleteNamed, dryRun: true }),
  'delete a draft that 20,000 others name': () => deleteNamed,
  'make what the vAtom of a draft contains public, 5,000': () => ({
    ...ofDraft,
    method: 'PATCH',
    body: () => ({ vatom: { 'vAtom::vAtomType': { visibility: { type: 'public' } } } }),
  }),
  'dry run: delete a draft whose vAtom contains 5,000': () => ({ ...ofDraft, method: 'DELETE', dryRun: true }),
  'delete a draft whose vAtom contains 5,000': () => ({ ...ofDraft, method: 'DELETE' }),
  'dry run: emit 10,000': () => ({
    by: 'publisher',
    route: '/v1/vatoms',
    dryRun: true,
    body: ({ variation }) => ({ template_variation: variation, num: 10_000 }),
  }),
  'drop a folder of 50,000': onFolder('Drop', () => ({ 'geo.pos': { lat: 46.2, lon: 6.14 } })),
  'pick up a folder of 50,000': onFolder('Pickup'),
  'dry run: transfer a folder of 50,000': onFolder('Transfer', toAttacker, { dryRun: true }),
  'transfer a folder of 50,000': onFolder('Transfer', toAttacker),
  'a handler is asked about a folder of 50,000, others are held': () => ({
    ...askHandler(),
    prepare: registerQuietHandler,
  }),
  'dry run: a handler is asked about a folder of 50,000, others are held': () => ({ ...askHandler(), dryRun: true }),
  'put 100 vAtoms into a folder, 40,000 others are held': () => ({
    method: 'PATCH',
    route: '/v1/vatoms',
    body: ({ folders }) => ({
      ids: times(100, (at) => `large${at + 1}`),
      parent_id: folders.large,
    }),
  }),
  'trash a folder of 50,000': () => ({
    route: '/v1/user/vatom/trash',
    body: ({ folders }) => ({ 'this.id': folders.large }),
  }),
  'take 5,000 out of a folder': onFolder('Uncombine', undefined, { size: 'small' }),
  'dry run: delete an address for which 20,000 are held': () => ({ ...deleteAddress, dryRun: true }),
  'delete an address for which 20,000 are held': () => deleteAddress,
  'sign in with a pin, 20,000 are held': () => ({
    anonymous: true,
    route: '/v1/user/login',
    prepare: sendPin,
    body: ({ pin }) => ({ ...holder, auth_data: { password: pin } }),
  }),
  'dry run: delete an action that 100,000 have run once': () => ({ ...deleteLimited, dryRun: true }),
  'delete an action that 100,000 have run once': () => deleteLimited,
  'dry run: delete a draft with an action that 100,000 have run once': () => ({ ...deleteOnce, dryRun: true }),
  'delete a draft with an action that 100,000 have run once': () => deleteOnce,
  'dry run: delete a user who has run 50,000 actions once': () => ({ ...deleteRunner, dryRun: true }),
  'delete a user who has run 50,000 actions once': () => deleteRunner,
  'dry run: delete a user with half of the vAtoms': () => ({ method: 'DELETE', route: '/v1/user', dryRun: true }),
  'delete a user with half of the vAtoms': () => ({ method: 'DELETE', route: '/v1/user' }),
}

const inCategories = (value) => () => ({
  ...search(times(40, (at) => ({ ...element(`${type}category`, 'Match', value(at)), bool_op: 'Or' }))),
  by: 'other',
})
/** The same where categories are long. */
const requestsOfCategories = {
  '40 short values, of long categories': inCategories((at) => `xyz${at}`),
  '40 values of 1,000 characters, of long categories': inCategories(earlyValue),
  'geo groups with long categories': () => ({ ...requests['geo groups'](), by: 'other' }),
}

const of = (value, world) => (typeof value === 'function' ? value(world) : value)

async function measure(service, sessions, crowd, make) {
  const { ready } = service
  const { by = 'attacker', method = 'POST', route, body, text, anonymous, dryRun, prepare } = make()
  const world = { ...crowd, ...(await prepare?.(ready, crowd)) }
  const [token, calm] = [await freshToken(ready, sessions[by]), await freshToken(ready, sessions.other)]
  await setTimeout(rest)
  await service.measured()
  const end = otherUser(ready, calm)
  const start = performance.now()
  const answer = await fetch(ready.base_url + of(route, world), {
    method,
    headers: {
      'App-Id': ready.app_id,
      ...(!anonymous && { Authorization: `Bearer ${token}` }),
      ...(dryRun && { 'Vatom-Dry-Run': 'true' }),
    },
    ...(method !== 'GET' && { body: text ?? JSON.stringify(of(body, world)) }),
  })
  const { length } = await answer.text()
  const took = performance.now() - start
  await setTimeout(rest)
  const { hold, elapsed } = await service.measured()
  return { status: answer.status, bytes: length, took, hold, elapsed, slowest: await end() }
}

const whole = (number) => Math.round(number).toLocaleString('en')

/** Drops vAtoms that a thousand sockets watch: most are of guests and watch some region of the map. */
async function measureDrops(service, sessions, { guests, template }, drops) {
  const { ready } = service
  const readers = []
  for (const guest of guests) {
    const token = await freshToken(ready, guest)
    for (let opened = 0; opened < perGuest; opened++) readers.push(await watchingMap(ready, token))
  }
  const token = await freshToken(ready, sessions.publisher)
  const end = otherUser(ready, await freshToken(ready, sessions.other))
  const call = callerOf(ready, token)
  const { ids } = await call('POST', '/v1/vatoms', { template_variation: `${template}::Plain`, num: drops })
  await setTimeout(restOfReaders)
  await service.measured()
  const start = performance.now()
  const before = readers.reduce((sum, { received }) => sum + received(), 0)
  for (let at = 0; at < ids.length; at += 20)
    await Promise.all(
      ids
        .slice(at, at + 20)
        .map((id) =>
          call('POST', '/v1/user/vatom/action/Drop', { 'this.id': id, 'geo.pos': { Lat: 46.2, Lon: 6.14 } }),
        ),
    )
  const took = performance.now() - start
  await setTimeout(restOfReaders)
  const { hold, elapsed } = await service.measured()
  const bytes = readers.reduce((sum, { received }) => sum + received(), 0) - before
  for (const { close } of readers) close()
  return { status: 200, bytes, took, hold, elapsed, slowest: await end() }
}

/**
 * One self-registered user asks for what costs most while another asks for a profile over and over; the figure is the
 * longest time for which the event loop was held, with 100,000 vAtoms. `--count` and `--only` are for single cases.
 */
export async function run(args) {
  const { count, only } = optionsOf(args, { count: 100_000, only: '' })
  const guests = 'drops'.includes(only) ? sockets / perGuest : 0
  const variations = count >= 100_000 ? 1000 : Math.ceil(count / 100)
  const world = await crowdedWorld({ count, variations, guests, largeCount: Math.min(1200, count / 50) })
  const service = await watchedService(world.db)
  const publisher = await sessionOf(service.ready)
  const sessions = { attacker: world.attacker, other: world.other, runner: world.runner, publisher }
  const found = []
  const report = (name, { status, bytes, took, hold, elapsed, slowest }) => {
    found.push({ name, hold })
    console.log(
      `  ${name}: held ${whole(hold)} ms of processor time (${whole(elapsed)} ms), the other waited ${whole(slowest)} ms; ${status} after ${whole(took)} ms, ${whole(bytes)} bytes`,
    )
  }
  // First, as others become publishers later, and the console shows the data of one to other machines.
  for (const [name, measurePages] of Object.entries(consolePages))
    if (name.includes(only)) report(name, await measurePages(service, sessions))
  for (const [name, make] of Object.entries(requests))
    if (name.includes(only)) report(name, await measure(service, sessions, world, make))
  if (guests > 0) report('200 drops', await measureDrops(service, sessions, world, 200))
  await service.stop()
  const ofCategories = Object.entries(requestsOfCategories).filter(([name]) => name.includes(only))
  if (ofCategories.length > 0) {
    lengthenCategories(world.db, 600)
    const again = await watchedService(world.db)
    for (const [name, make] of ofCategories) report(name, await measure(again, sessions, world, make))
    await again.stop()
  }
  const worst = found.sort((a, b) => b.hold - a.hold)[0]
  return {
    held: worst.hold < longestHold,
    figures: `longest hold ${whole(worst.hold)} ms (${worst.name}) of ${found.length} requests, ${whole(count)} vAtoms`,
  }
}
