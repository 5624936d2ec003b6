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

/**
 * Guests of one address have long lists of changes predicted, over and over, while a user and the publisher at another
 * one plan twelve changes each. The figures are the most memory, and how much processor time the service took until a plan
 * was answered. `--connections`, `--seconds`.
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
  const figures = `${begun} lists, ${Math.round(peak / mebibyte)} MB at most; until others had their plan the service took ${told[0]} at most, until the publisher had ${told[1]}, alone ${told[2]}; a profile waited ${Math.round(slowest)} ms`
  return {
    held: failed.length === 0 && peak < mostMemory && found.every(({ processor }) => processor < longestWait),
    figures: failed.length === 0 ? figures : `${figures}; ${failed.length} plans failed, first: ${failed[0]}`,
  }
}
