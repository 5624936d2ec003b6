import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { alternate, timeProcess } from './measure.mjs'
import { row } from './results.mjs'
import { root, scratchFolder } from './vatom.mjs'

const note =
  'npm takes 0.15 s to start the type check; the rest of a first one is the compiler, for which no earlier run kept anything.'

/** What a clone does not have. */
const made = new Set(['node_modules', 'dist', 'coverage', '.git'])

/** Bar 13: what the project itself costs on this machine, in a copy of it. */
export async function measure() {
  const copy = path.join(scratchFolder(), 'vatom')
  cpSync(root, copy, { recursive: true, filter: (file) => !made.has(path.relative(root, file)) })
  const npm =
    (...args) =>
    () =>
      timeProcess({ command: 'npm', args, cwd: copy, env: { NO_COLOR: '1' } }) / 1000
  const clean = () => {
    rmSync(path.join(copy, 'node_modules'), { recursive: true, force: true })
    rmSync(path.join(copy, 'dist'), { recursive: true, force: true })
    return npm('ci', '--no-audit', '--no-fund')()
  }
  const sides = { clean, first: npm('run', 'typecheck'), again: npm('run', 'typecheck'), unit: npm('run', 'unit') }
  const medians = await alternate(sides, { rounds: 3, warmup: 0 })
  const seconds = (what, ours, limit) => row({ bar: 13, what, ours, reference: 1, limit, unit: 's', note })
  return [
    seconds('`npm ci`, the build included', medians.clean, 30),
    seconds('type check, after a fresh install', medians.first, 1),
    seconds('type check, again', medians.again, 1),
    seconds('unit tests', medians.unit, 30),
  ]
}
