import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { scratchFolder } from '../bench/vatom.mjs'
import { optionsOf } from './bounds.mjs'
import { ask, callerOf, sessionOf } from './serve.mjs'
import { insistent } from './sockets.mjs'
import { watchedBeside, watchedService } from './watched-service.mjs'

const mebibyte = 2 ** 20
/** Bytes of memory that the service may take, at 256 MB, and milliseconds of its processor time until others have their plan. */
const mostMemory = 384 * mebibyte
const longestWait = 3000

const inMegabytes = (bytes) => `${Math.round(bytes / mebibyte)} MB`

/** Guests of one address. */
const crowd = 40
/** More changes than a dry run carries out again: it needs a copy of the database. */
const planned = 12

const dryRun = (id, changes, requests) => ({ id, changes, requests })

/** A hundred messages of 4,096 characters to oneself. */
const longList = ({ id }, name) => {
  const message = { method: 'POST', path: '/v1/user/message', body: JSON.stringify({ id, message: 'x'.repeat(4096) }) }
  return JSON.stringify(dryRun(name, 0, Array(100).fill(message)))
}

const rename = { method: 'PATCH', path: '/v1/user', body: '{"first_name":"Ada"}' }

async function newGuest(ready) {
  const { properties } = await callerOf(ready)('POST', '/v1/user/guest')
  const login = { token: properties.guest_id, token_type: 'guest_id' }
  return await callerOf(ready)('POST', '/v1/user/login', login)
}

/** Sends a dry run of some changes as a list, as `plan` does; what waits for a copy is sent again. Throws what it ends with. */
async function plan(ready, token, name) {
  for (let done = 0; done < planned; ) {
    const body = dryRun(name, done, Array(planned - done).fill(rename))
    const { status, body: answer } = await ask(ready, 'POST', '/__vatom/dry-run', { token, body })
    const refused = status === 200 ? answer.payload.find((one) => one.status !== 200) : undefined
    if (refused) throw new Error(refused.body)
    if (status !== 200 && status !== 503) throw new Error(JSON.stringify(answer))
    done += answer.payload?.length ?? 0
  }
}

/**
 * Plans again and again, until the function that it returns is called, which resolves with the milliseconds of the slowest,
 * by the clock and of the service's processor time.
 */
function planning({ ready, measured }, token) {
  let [slowest, processor] = [0, 0]
  let isOver = false
  const failed = []
  const all = (async () => {
    for (let number = 0; !isOver; number++) {
      const [start, before] = [performance.now(), await measured()]
      await plan(ready, token, `plan${number}`).catch((error) => failed.push(error.message))
      slowest = Math.max(slowest, performance.now() - start)
      processor = Math.max(processor, (await measured()).processor - before.processor)
      // A user may have a copy made once a second.
      await setTimeout(1000)
    }
  })()
  return async () => {
    isOver = true
    await all
    return { slowest, processor, failed }
  }
}

/** As many inputs that have no effect as an action of a user has room for. */
const idleInputs = Object.fromEntries(Array.from({ length: 3900 }, (_, at) => [`k${at}`, 1]))
const idleKeys = Array.from({ length: 1000 }, (_, at) => `k${at}`).join('&')

/** Guests who have a vAtom each, with an action that succeeds over and over, and one that waits for a handler before. */
async function guestsWithVatoms(ready, count, handler) {
  const session = await sessionOf(ready)
  const send = callerOf(ready, session.access_token.token)
  const template = `${ready.publisher.fqdn}::Remembered::v1`
  const vatom = { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: 'T', transferable: true }, private: {} }
  await send('POST', '/v1/templates', { template, unpublished: false, vatom })
  await send('POST', '/v1/publisher/action_handler', { reactor: `${ready.publisher.fqdn}://slow`, url: handler })
  const action = (name, reactor, rest) =>
    send('POST', '/v1/publisher/action', {
      ...{ name: `${template}::Action::${name}`, reactor, wait: true, guest_user: true },
      ...{ timeout: 60_000, ...rest },
    })
  for (const name of ['Activate', 'Transfer']) await action(name, `blockv://v1/${name}`)
  await action('Slow', `${ready.publisher.fqdn}://slow`)
  await action('Later', 'blockv://v1/Activate', { wait: false, policy: { pre: ['Slow'] } })
  const name = `${template}::V`
  await send('POST', '/v1/template_variations', { template, template_variation: name, unpublished: false })
  const { ids } = await send('POST', '/v1/vatoms', { template_variation: name, num: count })
  const guests = []
  for (const id of ids) {
    const { user, access_token } = await newGuest(ready)
    await send('POST', '/v1/user/vatom/action/Transfer', { 'this.id': id, 'new.owner.id': user.id })
    guests.push({ token: access_token.token, body: JSON.stringify({ 'this.id': id, ...idleInputs }) })
  }
  return guests
}

const listed = { actions: 20, queries: 100 }

/** What is remembered, or waits, takes most in relation to what is sent. */
const remembering = {
  'two dry runs of 440 actions with 3,900 inputs that have no effect': async (ready, guests) => {
    const path = '/v1/user/vatom/action/Activate'
    for (const { token, body } of guests.slice(0, 2))
      await insist(ready, token, 440, listed.actions, () => ({ method: 'POST', path, body }))
  },
  'one of 4,000 changes whose query has 1,000 keys': async (ready, [{ token }]) => {
    const request = (at) => ({ ...rename, path: `/v1/user?${at}&${idleKeys}` })
    await insist(ready, token, 4000, listed.queries, request)
  },
  '300 actions with as many such inputs that wait for a handler': async (ready, guests) => {
    const asked = Array.from({ length: 300 }, (_, at) => {
      const { token, body } = guests[at % guests.length]
      return ask(ready, 'POST', '/v1/user/vatom/action/Later', { token, body })
    })
    await Promise.all(asked)
  },
}

/** Sends changes of one dry run in lists; what has to wait is sent again. */
async function insist(ready, token, count, atOnce, request) {
  for (let done = 0; done < count; ) {
    const requests = Array.from({ length: atOnce }, (_, at) => request(done + at))
    const { status, body } = await ask(ready, 'POST', '/__vatom/dry-run', {
      token,
      body: dryRun('long', done, requests),
    })
    if (status === 503) await setTimeout(200)
    else if (status !== 200) throw new Error(JSON.stringify(body))
    else if (body.payload.every((one) => one.status !== 200)) return
    else done += body.payload.filter((one) => one.status === 200).length
  }
}

/** The most bytes that a service takes for each of these, in a process of its own. */
async function remembered() {
  const handler = createServer(() => {}).listen(0, '127.0.0.1')
  await once(handler, 'listening')
  const found = []
  for (const [name, send] of Object.entries(remembering)) {
    const service = await watchedService(path.join(scratchFolder(), 'remembered.db'), ['--calls-per-minute', '0'])
    const { ready, measured, stop } = service
    const guests = await guestsWithVatoms(ready, 4, `http://127.0.0.1:${handler.address().port}/`)
    const watched = watchedBeside(service, guests[3].token)
    await send(ready, guests)
    await setTimeout(500)
    const { peak } = await watched.end()
    const { memory } = await measured()
    await stop()
    found.push({ name, peak, memory })
  }
  handler.closeAllConnections()
  handler.close()
  return found
}

/**
 * Guests of one address have long lists of changes predicted, over and over, while a user and the publisher at another
 * one plan twelve changes each. The figures are the most memory, and how much processor time the service took until a plan
 * was answered; and the most memory for dry runs that remember much, and actions that wait. `--connections`, `--seconds`.
 */
export async function run(args) {
  const { connections, seconds } = optionsOf(args, { connections: 100, seconds: 30 })
  const service = await watchedService(path.join(scratchFolder(), 'dry.db'), ['--calls-per-minute', '0'])
  const { ready } = service
  const guests = []
  for (let made = 0; made < crowd; made++) guests.push(await newGuest(ready))
  const user = await newGuest(ready)
  const publisher = await sessionOf(ready)
  const alone = await planning(service, user.access_token.token)()
  const watched = watchedBeside(service, user.access_token.token)
  let begun = 0
  const leave = Array.from({ length: connections }, (_, index) => {
    const guest = guests[index % crowd]
    return insistent(ready, '127.3.0.1', 1, () => ({
      method: 'POST',
      path: '/__vatom/dry-run',
      token: guest.access_token.token,
      body: longList(guest.user, `list${begun++ % 256}`),
    }))
  })
  await setTimeout(1000)
  const plans = [user, publisher].map(({ access_token }) => planning(service, access_token.token))
  await setTimeout(seconds * 1000)
  const found = await Promise.all(plans.map((end) => end()))
  for (const one of leave) one()
  const { peak, slowest } = await watched.end()
  await service.stop()
  const failed = found.flatMap((one) => one.failed)
  const told = [...found, alone].map(
    (one) => `${Math.round(one.processor)} ms (${Math.round(one.slowest)} by the clock)`,
  )
  const memories = await remembered()
  const kept = memories.map(
    ({ name, peak, memory }) => `${name}: ${inMegabytes(peak)} at most, then ${inMegabytes(memory)}`,
  )
  const figures = `${begun} lists, ${inMegabytes(peak)} at most; until others had their plan the service took ${told[0]} at most, until the publisher had ${told[1]}, alone ${told[2]}; a profile waited ${Math.round(slowest)} ms; ${kept.join('; ')}`
  return {
    held:
      failed.length === 0 &&
      [{ peak }, ...memories].every((one) => one.peak < mostMemory) &&
      found.every(({ processor }) => processor < longestWait),
    figures: failed.length === 0 ? figures : `${figures}; ${failed.length} plans failed, first: ${failed[0]}`,
  }
}
