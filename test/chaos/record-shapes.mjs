import { setTimeout } from 'node:timers/promises'
import { ask, freshToken } from './serve.mjs'

/** How many times as much processor time many fields may take at most as one text of as many bytes. */
const mostTimes = 4
const rounds = 3
/** Milliseconds in which what follows an answer is done, too. */
const rest = 100

const type = 'vAtom::vAtomType'
const fields = (bytes, value) => Object.fromEntries(Array.from({ length: bytes / 10 }, (_, at) => [`k${at}`, value]))
const levels = 50

/** Custom properties of about so many bytes, some or all of which depend on a value. */
export const shapes = {
  'one text': (bytes, value) => ({ value, text: 'x'.repeat(bytes) }),
  'many fields': (bytes, value) => ({ value, ...fields(bytes, 0) }),
  'many deep fields': (bytes, value) => {
    let inner = { value, ...fields(bytes, 0) }
    for (let level = 0; level < levels; level++) inner = { n: inner }
    return inner
  },
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
    await send(template(name, own(50_000, 0)))
    for (let at = 0; at < 10; at++) {
      await send(variation(name, `V${at}`))
      await send(emit(`${name}::V${at}`, 10))
    }
    const path = `/v1/templates/${encodeURIComponent(name)}`
    const vatom = (round) => ({ [type]: { root_type: type }, private: own(50_000, round) })
    return (round) => [{ method: 'PATCH', path, body: { vatom: vatom(round) } }]
  },
}

/**
 * What requests take whose records have many fields, as many times as much processor time of the event loop as with one
 * text of as many bytes: resolves with the highest of these ratios, and whether it is low enough.
 */
export async function measuredShapes({ ready, measured }, session) {
  let [worst, of] = [0, '']
  for (const [at, [what, prepare]] of Object.entries(cases).entries()) {
    const times = []
    for (const [index, [shape, own]] of Object.entries(shapes).entries()) {
      const name = `${ready.publisher.fqdn}::Shape${at}${index}::v1`
      const send = async ({ method, path, body }) => {
        const { status, body: answer } = await ask(ready, method, path, {
          token: await freshToken(ready, session),
          body,
        })
        if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
        return answer.payload
      }
      const requests = await prepare(send, name, own)
      const took = await leastTime(measured, send, requests)
      times.push(took)
      const ratio = took / times[0]
      if (ratio > worst) [worst, of] = [ratio, `${what}, ${shape}`]
      console.log(`  ${what}, ${shape}: ${Math.round(took)} ms of processor time`)
    }
  }
  return { held: worst < mostTimes, figures: `${worst.toFixed(1)} times as much as one text (${of})` }
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
