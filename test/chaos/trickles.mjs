import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { otherUser, watchedService } from './watched-service.mjs'

/** Milliseconds that another user may wait for an answer. */
const longestWait = 1000

const client = fileURLToPath(new URL('trickling.mjs', import.meta.url))

/**
 * Connections without an account that send a body byte by byte, while others are opened and closed. The figure is how long
 * another user waits at most. `--connections` that trickle, `--seconds`.
 */
export async function run(args) {
  const { connections, seconds } = optionsOf(args, { connections: 600, seconds: 10 })
  const world = await crowdedWorld({ count: 1000 })
  const service = await watchedService(world.db)
  const others = otherUser(service.ready, world.other.access_token.token, { pause: 20 })
  await setTimeout(500)
  const attacker = spawn(process.execPath, [client, service.ready.base_url, String(connections)], { stdio: 'inherit' })
  const slowest = await setTimeout(seconds * 1000)
    .then(others)
    .finally(() => attacker.kill())
  await service.stop()
  return {
    held: slowest < longestWait,
    figures: `${connections} connections sent a body byte by byte, the other waited ${Math.round(slowest)} ms at most`,
  }
}
