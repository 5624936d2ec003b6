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

/** What is sent on the connections: half a request, several with long headers, an upload that is not all there. */
const kinds = ['half', 'requests', 'upload']
/** Bytes that the service takes at most meanwhile. */
const mostMemory = 400 * 2 ** 20

/**
 * Connections without an account that send something, are reset before it is answered and opened again. The figures are how
 * long another user waits for a page of 500 vAtoms, in the middle and at most, and the memory of the service.
 * `--connections` at a time, `--seconds` for each kind.
 */
export async function run(args) {
  const bounds = optionsOf(args, { connections: 30, seconds: 10 })
  const { db, template, other } = await crowdedWorld({ count: 1000 })
  const asked = { ...pageOf(template), token: other.access_token.token }
  const found = []
  for (const kind of kinds) found.push({ kind, ...(await measure(db, kind, asked, bounds)) })
  const texts = found.map(
    ({ kind, middle, most, memory }) => `${kind}: ${middle} ms, ${most} ms at most, ${Math.round(memory / 2 ** 20)} MB`,
  )
  return {
    held: found.every(({ middle, memory }) => middle < longestWait && memory < mostMemory),
    figures: `${bounds.connections} connections at a time were reset, the other waited in the middle for a page, ${texts.join('; ')}`,
  }
}

/** One kind of connections, and what another user notices of them on a service of its own. */
async function measure(db, kind, { method, path, body, token }, { connections, seconds }) {
  const { ready, stop, measured } = await watchedService(db)
  const attacker = spawn(process.execPath, [client, ready.base_url, String(connections), kind], { stdio: 'inherit' })
  await setTimeout(500)
  const call = callerOf(ready, token)
  const waits = []
  let memory = 0
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const start = performance.now()
    await call(method, path, body)
    waits.push(Math.round(performance.now() - start))
    memory = Math.max(memory, (await measured()).memory)
    await setTimeout(20)
  }
  attacker.kill()
  await stop()
  const sorted = waits.sort((one, another) => one - another)
  return { middle: sorted[Math.floor(sorted.length / 2)], most: sorted.at(-1), memory }
}
