import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { watchedService } from './watched-service.mjs'

/** Milliseconds that another user may wait for half of the answers. */
const longestWait = 1000
/** Bytes that the service takes at most meanwhile. */
const mostMemory = 400 * 2 ** 20

/** Each kind of an attack with so many connections at a time, and what another user notices of it: whether it held, and figures. */
export async function besideKinds(kinds, { connections, ...attacked }) {
  const found = []
  for (const kind of kinds)
    found.push({ kind, ...(await besideAttacker({ ...attacked, words: [String(connections), kind] })) })
  return {
    held: found.every(({ middle, memory }) => middle < longestWait && memory < mostMemory),
    figures: found
      .map(
        ({ kind, middle, most, memory }) =>
          `${kind}: ${middle} ms, ${most} ms at most, ${Math.round(memory / 2 ** 20)} MB`,
      )
      .join('; '),
  }
}

/**
 * What another user notices while a program attacks a service of its own: `ask` is called with the service over and over for
 * so many seconds. Resolves with how long it takes in the middle and at most, in milliseconds, and with the most bytes of
 * memory of the service; `client` is started with the address of the service and `words`.
 */
async function besideAttacker({ db, options = [], client, words, ask, seconds }) {
  const { ready, stop, measured } = await watchedService(db, options)
  const attacker = spawn(process.execPath, [client, ready.base_url, ...words], { stdio: 'inherit' })
  try {
    await setTimeout(500)
    const found = await watched(() => ask(ready), measured, seconds)
    if (attacker.exitCode !== null) throw new Error(`the attacker ended with ${attacker.exitCode}`)
    return found
  } finally {
    attacker.kill()
    await stop()
  }
}

/** Asks over and over for so many seconds, and measures the service meanwhile. */
async function watched(ask, measured, seconds) {
  const waits = []
  let memory = 0
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const start = performance.now()
    await ask()
    waits.push(Math.round(performance.now() - start))
    memory = Math.max(memory, (await measured()).memory)
    await setTimeout(20)
  }
  const sorted = waits.sort((one, another) => one - another)
  return { middle: sorted[Math.floor(sorted.length / 2)], most: sorted.at(-1), memory }
}
