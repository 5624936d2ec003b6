import { callerOf, sessionOf } from './serve.mjs'

/** Requests that concern few records, but large ones, or what many have together. */

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
const route = (table, name) => `/v1/${table}/${encodeURIComponent(name)}`
const folder = 'vAtom::vAtomType::DefinedFolderContainerType'
/** Some 58 KB of JSON that take long to parse. */
const large = (value) => Object.fromEntries(times(5200, (index) => [`k${index}`, value]))
/** Chain fields, as many as a section can have. */
const eth = (value) => ({
  network: 'testnet',
  fields: Object.fromEntries(times(220, (index) => [`f${index}`, { type: 'uint', value }])),
})

/** Creates templates and variations of a publisher, who emits and acts. */
async function maker(ready, { template: like }) {
  const call = callerOf(ready, (await sessionOf(ready)).access_token.token)
  const prefix = `${like.split('::')[0]}::Large${Date.now()}`
  const nameOf = (name) => `${prefix}${name}::v1`
  const template = (name, unpublished, type, rest = {}) => {
    const vatom = {
      'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: name, ...type },
      private: rest.custom ?? {},
    }
    const body = { template: nameOf(name), unpublished, public: true, vatom, ...(rest.eth && { eth: rest.eth }) }
    return call('POST', '/v1/templates', body)
  }
  const variation = async (name, own, unpublished, rest = {}) => {
    const template_variation = `${nameOf(name)}::${own}`
    await call('POST', '/v1/template_variations', { template: nameOf(name), template_variation, unpublished, ...rest })
    return template_variation
  }
  const defined = async (name, child_policy) => {
    await template(name, false, { root_type: folder, child_policy })
    return await variation(name, 'V', false)
  }
  const emit = (template_variation, num) => call('POST', '/v1/vatoms', { template_variation, num })
  return { call, nameOf, template, variation, defined, emit }
}

const none = (names) => names.map((name) => ({ template_variation: name, count: 0 }))

/** Folders each of which names 100 large variations, and makes none of them. */
async function folders({ template, variation, defined }, count) {
  await template('Leaf', false, {}, { custom: large(0) })
  const found = []
  for (let at = 0; at < count; at++) {
    const names = []
    for (let leaf = 0; leaf < 100; leaf++) names.push(await variation('Leaf', `V${at}x${leaf}`, false))
    found.push(await defined(`Folder${at}`, none(names)))
  }
  return found
}

async function withFolder(ready, crowd) {
  const [emitted] = await folders(await maker(ready, crowd), 1)
  return { emitted }
}

async function withLimit(ready, crowd) {
  const make = await maker(ready, crowd)
  await make.template('Draft', false, {})
  const draft = await make.variation('Draft', 'V', true)
  const named = none(await folders(make, 4))
  return { emitted: await make.defined('Limited', [{ template_variation: draft, count: 11 }, ...named]) }
}

async function withDraft(ready, crowd) {
  const { template, variation, emit } = await maker(ready, crowd)
  await template('Draft', true, {}, { custom: large(0) })
  const draft = await variation('Draft', 'V', true)
  await emit(draft, 10)
  return { draft }
}

async function withChains(ready, crowd) {
  const { nameOf, template, variation } = await maker(ready, crowd)
  await template('Chain', true, {}, { eth: eth(1) })
  const own = { eth: { network: 'testnet', fields: {} } }
  for (let at = 0; at < 300; at++) await variation('Chain', `V${at}`, true, own)
  return { chain: nameOf('Chain') }
}

async function withBag(ready, crowd) {
  const { call, nameOf, template, variation, emit } = await maker(ready, crowd)
  await template('Coin', false, { transferable: true }, { custom: large(0) })
  await template('Bag', false, { transferable: true, root_type: 'vAtom::vAtomType::FolderContainerType' })
  const reactor = 'blockv://v1/Transfer'
  await call('POST', '/v1/publisher/action', { name: `${nameOf('Bag')}::Action::Transfer`, reactor, wait: true })
  const { ids } = await emit(await variation('Coin', 'V', false), 24)
  const [bag] = (await emit(await variation('Bag', 'V', false), 1)).ids
  await call('PATCH', '/v1/vatoms', { ids, parent_id: bag })
  return { bag }
}

const emission = {
  by: 'publisher',
  route: '/v1/vatoms',
  body: ({ emitted }) => ({ template_variation: emitted, num: 1 }),
}

export const largeRecords = {
  'emit a folder that names 100 large variations, none of each': () => ({ ...emission, prepare: withFolder }),
  'emit what a draft limits, with folders that name 400 large variations': () => ({ ...emission, prepare: withLimit }),
  'change a draft with ten large vAtoms': () => ({
    by: 'publisher',
    method: 'PATCH',
    prepare: withDraft,
    route: ({ draft }) => route('template_variations', draft),
    body: () => ({ vatom: { private: large(2) } }),
  }),
  'change 220 chain fields of a draft with 300 variations': () => ({
    by: 'publisher',
    method: 'PATCH',
    prepare: withChains,
    route: ({ chain }) => route('templates', chain),
    body: () => ({ eth: eth(2) }),
  }),
  'transfer a folder of 24 large vAtoms': () => ({
    by: 'publisher',
    prepare: withBag,
    route: '/v1/user/vatom/action/Transfer',
    body: ({ bag, attacker }) => ({ 'this.id': bag, 'new.owner.id': attacker.user.id }),
  }),
}
