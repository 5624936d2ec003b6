import { setTimeout } from 'node:timers/promises'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { connected } from './sockets.mjs'
import { otherUser, watchedService } from './watched-service.mjs'

const mebibyte = 2 ** 20
/** Bytes of memory that the service may take. */
const most = 256 * mebibyte

/** A connection that asks for large pages, one request after the other, and reads no answer. */
async function deafReader(ready, token, requests) {
  const socket = await connected(ready)
  const state = { isOpen: true, leave: () => socket.destroy() }
  socket.on('close', () => {
    state.isOpen = false
  })
  socket.pause()
  const body = JSON.stringify({ limit: 1000 })
  const head = `POST /v1/vatom/discover HTTP/1.1\r\nHost: ${new URL(ready.base_url).host}\r\nApp-Id: ${ready.app_id}\r\n`
  const request = `${head}Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  socket.write(request.repeat(requests))
  return state
}

/**
 * Connections that ask for pages of 60 KB records and never read; the figure is the most memory that the service takes,
 * and how long another user waits for an answer. `--connections`, `--requests` of each, `--seconds` that they stay.
 */
export async function run(args) {
  const { connections, requests, seconds } = optionsOf(args, { connections: 1000, requests: 3, seconds: 20 })
  const world = await crowdedWorld({ count: 1000, largeCount: 1200 })
  const service = await watchedService(world.db)
  const token = world.attacker.access_token.token
  const readers = []
  let peak = 0
  const end = otherUser(service.ready, world.other.access_token.token, {
    pause: 20,
    look: async () => {
      peak = Math.max(peak, (await service.measured()).memory)
    },
  })
  for (let opened = 0; opened < connections; opened++) readers.push(await deafReader(service.ready, token, requests))
  await setTimeout(seconds * 1000)
  const slowest = await end()
  const open = readers.filter(({ isOpen }) => isOpen).length
  for (const { leave } of readers) leave()
  await service.stop()
  const memory = `${Math.round(peak / mebibyte)} MB at most with ${readers.length} connections that read nothing`
  return {
    held: peak < most,
    figures: `${memory}, ${open} of them still open; another user waited ${Math.round(slowest)} ms`,
  }
}
