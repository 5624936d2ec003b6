import { setTimeout } from 'node:timers/promises'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { serve } from './serve.mjs'
import { insistent } from './sockets.mjs'
import { otherUser, profile } from './watched-service.mjs'

/** Milliseconds that another user may wait for an answer. */
const longestWait = 2000

const long = JSON.stringify({ first_name: 'x'.repeat(1_000_000) })
const patterns = Array.from({ length: 18 }, (_, at) => ({
  field: 'private.a',
  filter_op: 'Match',
  value: `nothing like this ${at}*x`,
  bool_op: 'Or',
}))
const search = (template) => ({
  scope: { key: 'vAtom::vAtomType.template', value: template },
  filters: [{ filter_elems: patterns }],
  return: { type: '*' },
  limit: 1,
})
const own = { scope: { key: 'vAtom::vAtomType.owner', value: '$currentuser' }, return: { type: '*' }, limit: 1 }

/** What each of some clients asks again once it is answered, so many requests at a time, and what another user asks meanwhile. */
const crowds = {
  'eight addresses with three requests of 1 MB each': {
    clients: 8,
    atOnce: 3,
    asked: () => ({ method: 'PATCH', path: '/v1/user', body: long }),
    other: profile,
  },
  '256 connections with another false token in each request': {
    clients: 256,
    atOnce: 1,
    isStranger: true,
    asked: () => profile,
    other: profile,
  },
  'four addresses with a search each': {
    clients: 4,
    atOnce: 1,
    asked: ({ template }) => ({ method: 'POST', path: '/v1/vatom/discover', body: JSON.stringify(search(template)) }),
    other: { method: 'POST', path: '/v1/vatom/discover', body: own },
    vatoms: 40_000,
  },
}

/**
 * A few clients that ask again as soon as they are answered. The figure is how long another user waits at most who asks two
 * things at a time. `--seconds` are those of a crowd; `--only` is for one.
 */
export async function run(args) {
  const { seconds, only } = optionsOf(args, { seconds: 10, only: '' })
  const waits = []
  for (const [name, crowd] of Object.entries(crowds)) {
    if (!name.includes(only)) continue
    const wait = await measure(
      await crowdedWorld({ count: crowd.vatoms ?? 1000, guests: crowd.isStranger ? 0 : crowd.clients }),
      crowd,
      seconds,
    )
    waits.push(wait)
    console.log(`  ${name}: the other waited ${Math.round(wait)} ms`)
  }
  const most = Math.max(...waits)
  return {
    held: most < longestWait,
    figures: `${waits.length} crowds, the other waited ${Math.round(most)} ms at most`,
  }
}

async function measure(world, { clients, atOnce, asked, other, isStranger }, seconds) {
  const service = await serve(world.db)
  let sent = 0
  const tokenOf = (client) => (isStranger ? `false.${sent++}.x` : world.guests[client].access_token.token)
  const leave = Array.from({ length: clients }, (_, client) =>
    insistent(service.ready, isStranger ? '127.0.0.1' : `127.2.0.${client + 1}`, atOnce, () => ({
      ...asked(world),
      token: tokenOf(client),
    })),
  )
  await setTimeout(500)
  const waits = [1, 2].map(() => otherUser(service.ready, world.other.access_token.token, { pause: 20, asked: other }))
  await setTimeout(seconds * 1000)
  for (const one of leave) one()
  const slowest = Math.max(...(await Promise.all(waits.map((end) => end()))))
  await service.stop()
  return slowest
}
