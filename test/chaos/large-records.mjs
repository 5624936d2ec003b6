import { createHash } from 'node:crypto'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { scratchFolder } from '../bench/vatom.mjs'
import { optionsOf } from './bounds.mjs'
import { measuredShapes, shapes } from './record-shapes.mjs'
import { ask, callerOf, freshToken, sessionOf } from './serve.mjs'
import { watchedService } from './watched-service.mjs'

/** Milliseconds of processor time for which no request may hold the event loop. */
const longestHold = 50
/** Milliseconds that are measured after an answer, too. */
const rest = 50

const type = 'vAtom::vAtomType'
const folder = `${type}::DefinedFolderContainerType`
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index))
/** As many custom fields as a record has room for. */
const fields = (value = 0, count = 5200) => Object.fromEntries(list(count, (at) => [`k${at}`, value]))
/** Chain fields, as many as a section can have. */
const chainFields = (value) => ({
  network: 'testnet',
  fields: Object.fromEntries(list(220, (at) => [`f${at}`, { type: 'uint', value }])),
})
/** Names of 64 letters that have nothing in common. */
const longName = (seed) => createHash('sha256').update(String(seed)).digest('hex')
const value = { resourceValueType: 'ResourceValueType::URI', value: 'https://assets.example/a' }
const resources = (count, from) =>
  list(count, (at) => ({ name: longName(from + at), resourceType: 'ResourceType::Image::PNG', value }))
const overwritten = (count, from) => resources(count, from).map(({ name, value }) => ({ name, value }))
const constraints = (at = 0) => ({
  bluetooth_le: false,
  contact_list: false,
  gps: false,
  three_d: false,
  view_mode: 'icon',
  platform: ['generic', 'ios', 'android', 'web'][at % 4],
  quality: ['low', 'medium', 'high'][Math.floor(at / 4) % 3],
})

const registry = {
  template: (name, rest = {}, vatom = {}, own = {}) => ({
    method: 'POST',
    path: '/v1/templates',
    body: {
      template: name,
      unpublished: true,
      public: true,
      vatom: { [type]: { root_type: type, title: 'T', ...vatom }, private: own },
      ...rest,
    },
  }),
  variation: (template, part, rest = {}) => ({
    method: 'POST',
    path: '/v1/template_variations',
    body: { template, template_variation: `${template}::${part}`, unpublished: true, public: true, ...rest },
  }),
  face: (template, rest = {}, at = 0) => ({
    method: 'POST',
    path: '/v1/publisher/face',
    body: {
      template,
      display_url: 'native://image',
      package_url: 'native://image',
      constraints: constraints(at),
      resources: [],
      ...rest,
    },
  }),
  action: (template, name, rest = {}) => ({
    method: 'POST',
    path: '/v1/publisher/action',
    body: { name: `${template}::Action::${name}`, reactor: 'blockv://v1/Activate', wait: true, ...rest },
  }),
}
const emit = (name, num = 1) => ({ method: 'POST', path: '/v1/vatoms', body: { template_variation: name, num } })
const perform = (name, id, inputs = {}) => ({
  method: 'POST',
  path: `/v1/user/vatom/action/${name}`,
  body: { 'this.id': id, ...inputs },
})
const changed = (name, vatom, own = {}) => ({
  method: 'PATCH',
  path: `/v1/templates/${encodeURIComponent(name)}`,
  body: { vatom: { [type]: { root_type: type, title: 'T', ...vatom }, private: own } },
})
/** The name of another template of the same case. */
const inside = (template, part) => template.replace(/::v1$/, `${part}::v1`)
const published = { unpublished: false }

/** A vAtom of the publisher with some actions, and a text or many fields. */
async function vatomWith(send, template, actions, own = {}) {
  await send(registry.template(template, published, { transferable: true }, own))
  for (const name of actions) await send(registry.action(template, name, { reactor: `blockv://v1/${name}` }))
  await send(registry.variation(template, 'V', published))
  const { ids } = await send(emit(`${template}::V`))
  return ids[0]
}

/** A folder that names variations of another template. */
async function namingFolder(send, template, childPolicy) {
  await send(registry.template(template, published, { root_type: folder, child_policy: childPolicy }))
  await send(registry.variation(template, 'V', published))
}

/** Three empty folders, and so many vAtoms beside them. */
async function folderAnd(send, template, count) {
  await vatomWith(send, inside(template, 'Leaf'), ['Transfer'], fields())
  const { ids } = await send(emit(`${inside(template, 'Leaf')}::V`, count))
  const root_type = `${type}::FolderContainerType`
  await send(registry.template(template, published, { root_type, transferable: true }))
  await send(registry.variation(template, 'V', published))
  const made = await send(emit(`${template}::V`, 3))
  return { ids, folders: made.ids }
}

/** As many vAtoms of a draft as may change at once, unless more variations are asked for. */
async function draftWithVatoms(send, template, { own = fields(), variations = 5 } = {}) {
  await send(registry.template(template, {}, {}, own))
  for (let at = 0; at < variations; at++) {
    await send(registry.variation(template, `V${at}`))
    await send(emit(`${template}::V${at}`, 10))
  }
}

/**
 * What is asked of records that are as large as they may be, each of a template of its own: prepared with `send`, which
 * resolves with the payload of an answer.
 */
const requests = {
  'a template with 5,200 fields': async (_, template) => {
    let round = 0
    return () => registry.template(inside(template, ++round), {}, {}, fields())
  },
  'a variation that overwrites 5,200 fields': async (send, template) => {
    await send(registry.template(template, {}, {}, fields()))
    let round = 0
    return () => registry.variation(template, `V${++round}`, { vatom: { private: fields(round) } })
  },
  'a face with 900 unknown resources': async (send, template) => {
    await send(registry.template(template, {}, { resources: resources(200, 0) }))
    return registry.face(template, { resources: list(900, (at) => longName(1000 + at)) })
  },
  'a variation with 250 unknown resources': async (send, template) => {
    await send(registry.template(template, {}, { resources: resources(200, 0) }))
    return registry.variation(template, 'V', { vatom: { [type]: { resources: overwritten(250, 1000) } } })
  },
  'a variation with 900 unknown fields': async (send, template) => {
    await send(registry.template(template, {}, {}, fields()))
    const unknown = Object.fromEntries(list(900, (at) => [longName(at), 1]))
    return registry.variation(template, 'V', { vatom: { private: unknown } })
  },
  'a face that reads 540 unknown fields': async (send, template) => {
    const own = { ...Object.fromEntries(list(200, (at) => [longName(at).slice(0, 50), 0])), ...fields(0, 4800) }
    await send(registry.template(template, {}, {}, own))
    const rule = (at) => ({ resource: 'x', field: `private.${longName(500 + at).slice(0, 52)}`, op: '=', value: 1 })
    const url = 'native://image-policy'
    return registry.face(template, { display_url: url, package_url: url, config: { image_policy: list(540, rule) } })
  },
  'a draft without the resources of its 12 faces': async (send, template) => {
    const named = resources(200, 0)
    await send(registry.template(template, {}, { resources: named }))
    for (let at = 0; at < 12; at++)
      await send(registry.face(template, { resources: named.map(({ name }) => name) }, at))
    return changed(template, { resources: resources(200, 1000) })
  },
  'a draft without the resources of its 20 variations': async (send, template) => {
    await send(registry.template(template, {}, { resources: resources(200, 0) }))
    for (let at = 0; at < 20; at++)
      await send(registry.variation(template, `V${at}`, { vatom: { [type]: { resources: overwritten(25, 0) } } }))
    return changed(template, { resources: resources(200, 1000) })
  },
  'a draft variation with ten vAtoms': async (send, template) => {
    await send(registry.template(template, {}, {}, fields()))
    await send(registry.variation(template, 'V'))
    await send(emit(`${template}::V`, 10))
    const name = `${template}::V`
    let round = 0
    return () => ({
      method: 'PATCH',
      path: `/v1/template_variations/${encodeURIComponent(name)}`,
      body: { vatom: { private: fields(++round) } },
    })
  },
  'a draft with five variations of ten vAtoms': async (send, template) => {
    await draftWithVatoms(send, template)
    let round = 0
    return () => changed(template, {}, fields(++round))
  },
  'a draft with five variations of ten vAtoms, 50 levels deep': async (send, template) => {
    const own = (value) => shapes['many deep fields'](50_000, value)
    await draftWithVatoms(send, template, { own: own(0) })
    let round = 0
    return () => changed(template, {}, own(++round))
  },
  'an Update of one of 3,500 fields 50 levels deep': async (send, template) => {
    const own = shapes['many deep fields'](35_000, 0)
    const id = await vatomWith(send, template, [], own)
    await send(registry.action(template, 'Update', { reactor: 'blockv://custom/privateproperties' }))
    let round = 0
    return () => perform('Update', id, { [`private.${'n.'.repeat(50)}value`]: ++round })
  },
  'a folder with 100 children of which none is wanted': async (send, template) => {
    await send(registry.template(inside(template, 'Leaf'), published, {}, fields()))
    for (let at = 0; at < 100; at++) await send(registry.variation(inside(template, 'Leaf'), `V${at}`, published))
    await namingFolder(
      send,
      template,
      list(100, (at) => ({ template_variation: `${inside(template, 'Leaf')}::V${at}`, count: 0 })),
    )
    return emit(`${template}::V`)
  },
  'a folder with more of a draft than there may be, and 300 others': async (send, template) => {
    await send(registry.template(inside(template, 'Leaf'), published, {}, fields()))
    for (let at = 0; at < 300; at++) await send(registry.variation(inside(template, 'Leaf'), `V${at}`, published))
    const children = []
    for (let group = 0; group < 3; group++) {
      children.push({ template_variation: `${inside(template, `G${group}`)}::V`, count: 0 })
      const leaf = (at) => ({ template_variation: `${inside(template, 'Leaf')}::V${group * 100 + at}`, count: 0 })
      await namingFolder(send, inside(template, `G${group}`), list(100, leaf))
    }
    await send(registry.template(inside(template, 'Draft')))
    await send(registry.variation(inside(template, 'Draft'), 'V'))
    const drafts = { template_variation: `${inside(template, 'Draft')}::V`, count: 11 }
    await send(registry.template(template, {}, { root_type: folder, child_policy: [drafts, ...children] }))
    await send(registry.variation(template, 'V'))
    return emit(`${template}::V`)
  },
  'an action that names 32 others': async (send, template) => {
    const config = fields({}, 700)
    const id = await vatomWith(send, template, [])
    for (let at = 0; at < 32; at++) await send(registry.action(template, `A${at}`, { config }))
    const policy = { pre: list(16, (at) => `A${at}`), post: list(16, (at) => `A${at + 16}`) }
    await send(registry.action(template, 'Main', { config, policy }))
    return perform('Main', id)
  },
  'a position as text with 55,000 keys': async (send, template) => {
    const id = await vatomWith(send, template, ['Drop'])
    return perform('Drop', id, { 'geo.pos': `{${list(55_000, (at) => `"k${at}":0`).join(',')}}` })
  },
  'a position as text with 490,000 levels': async (send, template) => {
    const id = await vatomWith(send, template, ['Drop'])
    return perform('Drop', id, { 'geo.pos': `{"lat":${'['.repeat(490_000)}${']'.repeat(490_000)}}` })
  },
  '500,000 ids to combine': async (send, template) => {
    const id = await vatomWith(send, template, ['Combine'])
    return perform('Combine', id, { 'vatom.ids': 'a,'.repeat(500_000) })
  },
  '500,000 ids to split': async (send, template) => {
    const id = await vatomWith(send, template, ['Split'])
    return perform('Split', id, { 'child.id': 'a,'.repeat(500_000) })
  },
  'transfer of a folder with 8 vAtoms': async (send, template, other) => {
    const { ids, folders } = await folderAnd(send, template, 24)
    await send(registry.action(template, 'Transfer', { reactor: 'blockv://v1/Transfer' }))
    for (const [at, folder] of folders.entries()) {
      const parts = ids.slice(at * 8, at * 8 + 8)
      await send({ method: 'PATCH', path: '/v1/vatoms', body: { ids: parts, parent_id: folder } })
    }
    return () => perform('Transfer', folders.pop(), { 'new.owner.id': other })
  },
  'a folder of 100 children': async (send, template) => {
    await send(registry.template(inside(template, 'Leaf'), published, {}, fields()))
    await send(registry.variation(inside(template, 'Leaf'), 'V', published))
    await namingFolder(send, template, [{ template_variation: `${inside(template, 'Leaf')}::V`, count: 100 }])
    return emit(`${template}::V`)
  },
  'emission of 300': async (send, template) => {
    await vatomWith(send, template, [], fields())
    return emit(`${template}::V`, 300)
  },
  'clone of a vAtom': async (send, template) => {
    await send(registry.template(template, { ...published, cloneable: true }, {}, fields()))
    await send(registry.action(template, 'Clone', { reactor: 'blockv://v1/Clone' }))
    await send(registry.variation(template, 'V', published))
    const { ids } = await send(emit(`${template}::V`))
    return perform('Clone', ids[0], { 'new.owner.email': 'ann@example.com' })
  },
  '100 vAtoms put into a folder': async (send, template) => {
    const { ids, folders } = await folderAnd(send, template, 100)
    return { method: 'PATCH', path: '/v1/vatoms', body: { ids, parent_id: folders[0] } }
  },
  'deletion of a folder with 100 vAtoms': async (send, template) => {
    const { ids, folders } = await folderAnd(send, template, 100)
    await send({ method: 'PATCH', path: '/v1/vatoms', body: { ids, parent_id: folders[0] } })
    return { method: 'POST', path: '/v1/user/vatom/trash', body: { 'this.id': folders[0] } }
  },
  'publication of a draft with ten variations of ten vAtoms': async (send, template) => {
    await draftWithVatoms(send, template, { variations: 10 })
    return { method: 'PATCH', path: `/v1/templates/${encodeURIComponent(template)}`, body: { unpublished: false } }
  },
  'publication of a draft variation with ten vAtoms': async (send, template) => {
    await send(registry.template(template, published, {}, fields()))
    await send(registry.variation(template, 'V'))
    await send(emit(`${template}::V`, 10))
    const path = `/v1/template_variations/${encodeURIComponent(`${template}::V`)}`
    return { method: 'PATCH', path, body: { unpublished: false } }
  },
  'deletion of a draft with ten variations of ten vAtoms': async (send, template) => {
    await draftWithVatoms(send, template, { variations: 10 })
    return { method: 'DELETE', path: `/v1/templates/${encodeURIComponent(template)}` }
  },
  'dry runs of 15 variations': async (send, template) => {
    await send(registry.template(template, {}, {}, fields()))
    const requests = list(15, (at) => {
      const { body, ...rest } = registry.variation(template, `V${at}`, { vatom: { private: fields(at) } })
      return { ...rest, body: JSON.stringify(body) }
    })
    let round = 0
    return () => ({ method: 'POST', path: '/__vatom/dry-run', body: { id: `large${++round}`, changes: 0, requests } })
  },
  '220 chain fields of a draft with 300 variations': async (send, template) => {
    await send(registry.template(template, { eth: chainFields(1) }))
    const eth = { network: 'testnet', fields: {} }
    for (let at = 0; at < 300; at++) await send(registry.variation(template, `V${at}`, { eth }))
    let round = 1
    const path = `/v1/templates/${encodeURIComponent(template)}`
    return () => ({ method: 'PATCH', path, body: { eth: chainFields(++round) } })
  },
  'a draft with twelve faces': async (send, template) => {
    await send(registry.template(template, {}, {}, fields()))
    const config = fields({}, 2000)
    for (let at = 0; at < 12; at++) await send(registry.face(template, { config }, at))
    return changed(template, {}, fields(1))
  },
}

/**
 * A publisher asks for what costs most with records that are as large as they may be: 5,200 custom fields, names of 64
 * letters, also where it is refused. The figure is the longest time for which the event loop was held, in milliseconds of
 * processor time; each is sent three times. `--only` is for single cases. Without it, what many fields cost is compared
 * with one text, too.
 */
export async function run(args) {
  const { only } = optionsOf(args, { only: '' })
  const service = await watchedService(path.join(scratchFolder(), 'large.db'), ['--calls-per-minute', '0'])
  const { ready } = service
  const session = await sessionOf(ready)
  const newUser = { password: 'a long password', user_tokens: [{ token: 'ann@example.com', token_type: 'email' }] }
  const { user } = await callerOf(ready)('POST', '/v1/users', newUser)
  const found = []
  let made = 0
  for (const [name, prepare] of Object.entries(requests)) {
    if (!name.includes(only)) continue
    const send = async ({ method, path, body }) => callerOf(ready, await freshToken(ready, session))(method, path, body)
    const template = `${ready.publisher.fqdn}::L${made++}::v1`
    const request = await prepare(send, template, user.id)
    const { hold, statuses } = await longest(service, session, request)
    found.push({ name, hold })
    console.log(`  ${name}: held ${Math.round(hold)} ms of processor time; ${statuses.join(', ')}`)
  }
  const compared = only === '' ? await measuredShapes(service, session) : { held: true, figures: 'shapes not compared' }
  await service.stop()
  if (found.length === 0) throw new Error(`no request is called like ${only}`)
  const worst = found.sort((a, b) => b.hold - a.hold)[0]
  return {
    held: worst.hold < longestHold && compared.held,
    figures: `longest hold ${Math.round(worst.hold)} ms (${worst.name}) of ${found.length} requests; ${compared.figures}`,
  }
}

/** The longest hold while a request is sent three times, and its answers. */
async function longest({ ready, measured }, session, request) {
  const statuses = []
  let hold = 0
  for (let sent = 0; sent < 3; sent++) {
    const { method, path, body } = typeof request === 'function' ? request() : request
    const token = await freshToken(ready, session)
    await setTimeout(rest)
    await measured()
    const { status } = await ask(ready, method, path, { token, body })
    await setTimeout(rest)
    hold = Math.max(hold, (await measured()).hold)
    statuses.push(status)
  }
  return { hold, statuses }
}
