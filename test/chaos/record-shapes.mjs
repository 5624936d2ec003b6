import { setTimeout } from 'node:timers/promises'
import { ask, freshToken } from './serve.mjs'

/** How many times as much processor time many fields may take at most as one text of as many bytes. */
const mostTimes = 4
/** Milliseconds of processor time that the largest change of a draft may take whose vAtoms are not alike. */
const longestChange = 1500
const rounds = 3
/** Milliseconds in which what follows an answer is done, too. */
const rest = 100

const type = 'vAtom::vAtomType'
const fields = (bytes, value) => Object.fromEntries(Array.from({ length: bytes / 10 }, (_, at) => [`k${at}`, value]))
const levels = 50
const inDepth = (own) => Array.from({ length: levels }).reduce((inner) => ({ n: inner }), own)

/** Custom properties of about so many bytes, some or all of which depend on a value. */
export const shapes = {
  'one text': (bytes, value) => ({ value, text: 'x'.repeat(bytes) }),
  'many fields': (bytes, value) => ({ value, ...fields(bytes, 0) }),
  'many deep fields': (bytes, value) => inDepth({ value, ...fields(bytes, 0) }),
}
/** How one of the many fields is set by a variation, and by an action. */
const oneOf = {
  'many fields': { overwritten: (k0) => ({ k0 }), input: 'private.k0' },
  'many deep fields': { overwritten: (k0) => inDepth({ k0 }), input: `private.${'n.'.repeat(levels)}k0` },
}

const published = { unpublished: false }
const template = (name, own, more = {}, root_type = type) => ({
  method: 'POST',
  path: '/v1/templates',
  body: { template: name, vatom: { [type]: { root_type }, private: own }, ...more },
})
const variation = (template, part, more = {}) => ({
  method: 'POST',
  path: '/v1/template_variations',
  body: { template, template_variation: `${template}::${part}`, ...more },
})
const emit = (template_variation, num) => ({ method: 'POST', path: '/v1/vatoms', body: { template_variation, num } })

/** What is asked of records of each shape: prepared with `send`; resolves with the requests of a round, the last of which counts. */
const cases = {
  'a folder with 200 vAtoms is emptied': async (send, name, own) => {
    const box = name.replace(/::v1$/, 'Box::v1')
    const action = { name: `${box}::Action::Uncombine`, reactor: 'blockv://v1/Uncombine', wait: true }
    await send(template(box, {}, published, `${type}::FolderContainerType`))
    await send(template(name, own(14_000, 0), published))
    for (const one of [box, name]) await send(variation(one, 'V', published))
    await send({ method: 'POST', path: '/v1/publisher/action', body: action })
    const { ids } = await send(emit(`${name}::V`, 200))
    const [folder] = (await send(emit(`${box}::V`, 1))).ids
    const put = (ids) => ({ method: 'PATCH', path: '/v1/vatoms', body: { ids, parent_id: folder } })
    const empty = { method: 'POST', path: '/v1/user/vatom/action/Uncombine', body: { 'this.id': folder } }
    return () => [put(ids.slice(0, 100)), put(ids.slice(100)), empty]
  },
  'a draft with ten variations of ten vAtoms is changed': async (send, name, own) => {
    // With more fields, fewer vAtoms may change, and the body of the request would count for more than they do.
    const half = (bytes, value) => own(bytes / 2, value)
    await draft(send, name, half, { variations: 10 })
    return changing(name, half)
  },
}

/** A draft with as many vAtoms with as many fields as may change at once; resolves with their ids. */
async function draft(send, name, own, { variations = 5, overwritten = () => ({}) } = {}) {
  await send(template(name, own(50_000, 0)))
  const emitted = []
  for (let at = 0; at < variations; at++) {
    await send(variation(name, `V${at}`, { vatom: { private: overwritten(at + 1) } }))
    const { ids } = await send(emit(`${name}::V${at}`, 10))
    emitted.push(...ids)
  }
  return emitted
}

/** The change of one property of a draft. */
function changing(name, own) {
  const path = `/v1/templates/${encodeURIComponent(name)}`
  const vatom = (round) => ({ [type]: { root_type: type }, private: own(50_000, round) })
  return (round) => [{ method: 'PATCH', path, body: { vatom: vatom(round) } }]
}

/** The largest changes of drafts whose vAtoms are not alike; prepared as the cases are, and with how one field is set. */
const unlike = {
  'a draft of which each variation overwrites one field is changed': async (send, name, own, { overwritten }) => {
    await draft(send, name, own, { overwritten })
    return changing(name, own)
  },
  'a draft of which an action changed one field of each vAtom is changed': async (send, name, own, { input }) => {
    const ids = await draft(send, name, own)
    const action = { name: `${name}::Action::Update`, reactor: 'blockv://custom/privateproperties', wait: true }
    await send({ method: 'POST', path: '/v1/publisher/action', body: action })
    const path = '/v1/user/vatom/action/Update'
    for (const [at, id] of ids.entries()) await send({ method: 'POST', path, body: { 'this.id': id, [input]: at + 1 } })
    return changing(name, own)
  },
}

/** What is compared and measured here, as one result. */
export async function measuredShapes(service, session) {
  const results = [await comparedShapes(service, session), await longestUnlike(service, session)]
  return {
    held: results.every(({ held }) => held),
    figures: results.map(({ figures }) => figures).join('; '),
  }
}

/**
 * What requests take whose records have many fields, as many times as much processor time of the event loop as with one
 * text of as many bytes: resolves with the highest of these ratios, and whether it is low enough.
 */
async function comparedShapes({ ready, measured }, session) {
  const send = sender(ready, session)
  let [worst, of] = [0, '']
  for (const [at, [what, prepare]] of Object.entries(cases).entries()) {
    const times = []
    for (const [index, [shape, own]] of Object.entries(shapes).entries()) {
      const requests = await prepare(send, `${ready.publisher.fqdn}::Shape${at}${index}::v1`, own)
      const took = await leastTime(measured, send, requests)
      times.push(took)
      const ratio = took / times[0]
      if (ratio > worst) [worst, of] = [ratio, `${what}, ${shape}`]
      console.log(`  ${what}, ${shape}: ${Math.round(took)} ms of processor time`)
    }
  }
  return { held: worst < mostTimes, figures: `${worst.toFixed(1)} times as much as one text (${of})` }
}

/** What the largest changes of drafts take whose vAtoms are not alike: resolves with the longest, and whether it is short enough. */
async function longestUnlike({ ready, measured }, session) {
  const send = sender(ready, session)
  let [longest, of] = [0, '']
  for (const [at, [what, prepare]] of Object.entries(unlike).entries())
    for (const [index, [shape, one]] of Object.entries(oneOf).entries()) {
      const requests = await prepare(send, `${ready.publisher.fqdn}::Unlike${at}${index}::v1`, shapes[shape], one)
      const took = await leastTime(measured, send, requests)
      if (took > longest) [longest, of] = [took, `${what}, ${shape}`]
      console.log(`  ${what}, ${shape}: ${Math.round(took)} ms of processor time`)
    }
  return { held: longest < longestChange, figures: `${Math.round(longest)} ms (${of})` }
}

/** Sends requests that must be answered; resolves with the payload. */
const sender =
  (ready, session) =>
  async ({ method, path, body }) => {
    const token = await freshToken(ready, session)
    const { status, body: answer } = await ask(ready, method, path, { token, body })
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer.payload
  }

/** The least processor time of some rounds, in milliseconds. */
async function leastTime(measured, send, requests) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 1; round <= rounds; round++) {
    const all = requests(round)
    for (const request of all.slice(0, -1)) await send(request)
    await setTimeout(rest)
    const before = (await measured()).processor
    await send(all.at(-1))
    least = Math.min(least, (await measured()).processor - before)
  }
  return least
}
