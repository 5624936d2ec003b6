import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Programs that ours is compared with live here between runs, never among this package's dependencies. */
const folder = path.join(tmpdir(), 'vatom-bench-peers')

const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

/** Installs packages and gives the folder of their programs. */
export function npmPeers(name, packages) {
  const own = path.join(folder, name)
  const programs = path.join(own, 'node_modules/.bin')
  if (existsSync(programs)) return programs
  mkdirSync(own, { recursive: true })
  writeFileSync(path.join(own, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], own)
  return programs
}

/** The load generator wrk: Debian's packages, unpacked without installing them. */
export function wrkPeer() {
  const own = path.join(folder, 'wrk')
  const program = path.join(own, 'usr/bin/wrk')
  if (!existsSync(program)) {
    mkdirSync(own, { recursive: true })
    run('apt-get', ['download', 'wrk', 'libluajit-5.1-2'], own)
    for (const name of readdirSync(own).filter((name) => name.endsWith('.deb'))) run('dpkg', ['-x', name, '.'], own)
  }
  const [libraries] = readdirSync(path.join(own, 'usr/lib')).map((name) => path.join(own, 'usr/lib', name))
  return { program, env: { LD_LIBRARY_PATH: libraries } }
}
