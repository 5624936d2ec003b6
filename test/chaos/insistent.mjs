import { setTimeout } from 'node:timers/promises'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { registerHandler, saying } from './handlers.mjs'
import { serve, sessionOf } from './serve.mjs'
import { insistent } from './sockets.mjs'
import { uploaded } from './uploaded.mjs'
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

let strangers = 0

/** Actions of one user on 64 connections, whose handler says this. */
const acting = (text) => ({
  clients: 64,
  atOnce: 1,
  tokenOf: ({ attacker }) => attacker.access_token.token,
  prepare: (ready, { template }) => registerHandler(ready, template, saying(text)),
  asked: () => ({ method: 'POST', path: '/v1/user/vatom/action/Ask', body: JSON.stringify({ 'this.id': 'v999' }) }),
  other: profile,
})

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
    address: () => '127.0.0.1',
    tokenOf: () => `false.${strangers++}.x`,
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
  '100 connections without an account that download a file of 5 MB': {
    clients: 100,
    atOnce: 1,
    address: () => '127.0.0.1',
    tokenOf: () => '',
    prepare: async (ready) => uploaded(ready, (await sessionOf(ready)).access_token.token, 5_000_000),
    asked: (_world, path) => ({ method: 'GET', path }),
    other: profile,
  },
  'actions whose handler answers in pieces of a byte': acting(
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(11_000)}`,
  ),
  'actions whose handler sends notices of status 1xx': acting('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2500)),
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
      await crowdedWorld({ count: crowd.vatoms ?? 1000, guests: crowd.tokenOf ? 0 : crowd.clients }),
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

/** Of clients of whom nothing else is said, each is a guest at an address of its own. */
const guests = {
  address: (client) => `127.2.0.${client + 1}`,
  tokenOf: (world, client) => world.guests[client].access_token.token,
  prepare: async () => {},
}

async function measure(world, crowd, seconds) {
  const { clients, atOnce, asked, other, address, tokenOf, prepare } = { ...guests, ...crowd }
  const service = await serve(world.db)
  const prepared = await prepare(service.ready, world)
  const leave = Array.from({ length: clients }, (_, client) =>
    insistent(service.ready, address(client), atOnce, () => ({
      ...asked(world, prepared),
      token: tokenOf(world, client),
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
