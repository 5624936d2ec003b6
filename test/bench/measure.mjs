import { spawnSync } from 'node:child_process'

/** What is not passed on: the first alone adds 28 ms to every Node process; in a pipeline, commands want a chosen service. */
const left = new Set(['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'CI', 'GITHUB_ACTIONS'])

/** The environment both sides run in. */
export function plainEnv(extra = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !left.has(name)))
  return { ...env, ...extra }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Milliseconds one process takes from spawn to exit; throws if it ends otherwise than expected. */
export function timeProcess({ command, args = [], env = {}, cwd, input, status = 0 }) {
  const start = process.hrtime.bigint()
  const done = spawnSync(command, args, { env: plainEnv(env), cwd, input, stdio: 'pipe', maxBuffer: 2 ** 28 })
  const elapsed = Number(process.hrtime.bigint() - start) / 1e6
  if (done.status === status) return elapsed
  throw new Error(`${command} ${args.join(' ')} ended with ${done.status ?? done.signal}\n${done.stderr}`)
}

/** Runs every side in turn, round after round, so that whatever disturbs the machine disturbs all; gives medians. */
export async function alternate(sides, { rounds, warmup = 2 }) {
  const names = Object.keys(sides)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmup; round < rounds; round++) {
    for (const name of names) {
      const elapsed = await sides[name](round)
      if (round >= 0) times[name].push(elapsed)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]))
}
