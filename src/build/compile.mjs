import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('compile-run.mjs', import.meta.url))

/**
 * Writes the code that V8 compiles for usual commands beside the packs, in files of the same names: with it their first
 * run is as fast as later ones. Resolves with whether that worked; without it everything runs, if slower.
 */
export async function compilePacks(manifest) {
  const home = mkdtempSync(path.join(tmpdir(), 'vatom-build-'))
  try {
    const file = path.join(home, 'manifest.json')
    writeFileSync(file, JSON.stringify(manifest))
    const { PATH } = process.env
    return (await exitCodeOf([runner, file], { PATH, HOME: home })) === 0
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const exitCodeOf = (args, env) =>
  new Promise((resolve) => {
    // Pipes, as most of those who wait for a command have them; what comes is dropped.
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', () => resolve(1))
    child.once('exit', resolve)
  })
