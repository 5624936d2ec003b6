import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npmPeers } from './peers.mjs'

/**
 * Services for tests side by side: how long the first answer, a reset, a test and four workers take, and the memory.
 * Prints a table for the manual: `node test/bench/testing-peers.mjs`.
 */
const pinned = ['msw@2.15.0', 'json-server@0.17.4', '@stoplight/prism-cli@5.14.2', 'miniflare@4.20260426.0']
const names = ['nothing', 'vatom', 'msw', 'json-server', 'prism', 'miniflare']
const rounds = Number(process.argv[2] ?? 5)
const tests = 20

const folder = join(npmPeers('testing', pinned), '../..')
const program = fileURLToPath(new URL('testing-peer.mjs', import.meta.url))

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Runs one worker, and measures it. */
async function worker(name) {
  const begun = performance.timeOrigin + performance.now()
  const child = fork(program, [name, folder, String(tests)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ ready, resets, tests: times }] = await once(child, 'message')
  const memory = residentOf(child.pid)
  child.send('stop')
  await once(child, 'exit')
  return { start: ready - begun, reset: resets && median(resets), test: median(times), memory }
}

/** Mebibytes that a process and those that it started take. */
function residentOf(pid) {
  const status = (one) => readFileSync(`/proc/${one}/status`, 'utf8')
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status(pid))?.[1] ?? 0) / 1024
  const children = readdirSync('/proc').filter((one) => /^\d+$/.test(one) && isChild(one))
  return children.reduce((sum, child) => sum + residentOf(child), own)

  function isChild(one) {
    try {
      return Number(/^PPid:\s+(\d+)/m.exec(status(one))?.[1]) === Number(pid)
    } catch {
      return false
    }
  }
}

/** Milliseconds until four workers that begin at the same time have ended. */
async function four(name) {
  const begun = performance.now()
  await Promise.all(Array.from({ length: 4 }, () => worker(name)))
  return performance.now() - begun
}

const measured = new Map(names.map((name) => [name, []]))
const loads = []
for (let round = 0; round < rounds; round++)
  for (const name of names) {
    loads.push(loadavg()[0])
    measured.get(name).push({ ...(await worker(name)), four: await four(name) })
  }

/** The median with two digits; a dash where there is none. */
const shown = (values, unit) => (values.includes(undefined) ? '-' : `${Number(median(values).toPrecision(2))} ${unit}`)
const load = median(loads).toFixed(1)
console.log(
  `Node ${process.version}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}, load ${load}, medians of ${rounds} rounds\n`,
)
console.log(
  '| | first answer | reset | reset and one request | memory | four workers |\n| --- | --- | --- | --- | --- | --- |',
)
for (const [name, runs] of measured) {
  const of = (key, unit) =>
    shown(
      runs.map((run) => run[key]),
      unit,
    )
  console.log(
    `| ${name} | ${of('start', 'ms')} | ${of('reset', 'ms')} | ${of('test', 'ms')} | ${of('memory', 'MiB')} | ${of('four', 'ms')} |`,
  )
}
