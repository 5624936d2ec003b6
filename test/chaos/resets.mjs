import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { callerOf } from './serve.mjs'
import { watchedService } from './watched-service.mjs'

/** Milliseconds that another user may wait for half of the long answers. */
const longestWait = 1000

const client = fileURLToPath(new URL('resetting.mjs', import.meta.url))
/** A page of so many vAtoms of a template. */
const pageOf = (template) => ({
  method: 'POST',
  path: '/v1/vatom/discover',
  body: { scope: { key: 'vAtom::vAtomType.template', value: template }, return: { type: '*' }, limit: 500 },
})

/**
 * Connections without an account that send half a request, are reset and opened again. The figure is how long another user
 * waits for a page of 500 vAtoms, in the middle and at most. `--connections` at a time, `--seconds`.
 */
export async function run(args) {
  const { connections, seconds } = optionsOf(args, { connections: 30, seconds: 10 })
  const { db, template, other } = await crowdedWorld({ count: 1000 })
  const { ready, stop } = await watchedService(db)
  const attacker = spawn(process.execPath, [client, ready.base_url, String(connections)], { stdio: 'inherit' })
  await setTimeout(500)
  const { method, path, body } = pageOf(template)
  const call = callerOf(ready, other.access_token.token)
  const waits = []
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const start = performance.now()
    await call(method, path, body)
    waits.push(Math.round(performance.now() - start))
    await setTimeout(20)
  }
  attacker.kill()
  await stop()
  const sorted = waits.sort((one, another) => one - another)
  const middle = sorted[Math.floor(sorted.length / 2)]
  return {
    held: middle < longestWait,
    figures: `${connections} connections at a time were reset in the middle of a request, the other waited ${middle} ms in the middle, ${sorted.at(-1)} ms at most for a page`,
  }
}
