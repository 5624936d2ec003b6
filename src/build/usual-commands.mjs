import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packText } from './chunks.mjs'

const runner = fileURLToPath(new URL('run-usual.mjs', import.meta.url))

/** Calls a function with a new folder, which is removed at the end. */
async function inNewFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vatom-build-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the usual commands of a build for a purpose, with a folder as their home; resolves with the exit code. */
function runUsual(purpose, manifest, home, usesFile) {
  const manifestFile = path.join(home, 'manifest.json')
  writeFileSync(manifestFile, JSON.stringify(manifest))
  return exitCodeOf([runner, purpose, manifestFile, usesFile], { PATH: process.env.PATH, HOME: home })
}

/** The numbers of the chunks that each usual command evaluates, up to the first command that fails. */
export const measureUses = (evaluators, manifest) =>
  inNewFolder(async (home) => {
    const pack = path.join(home, 'all.js')
    const usesFile = path.join(home, 'uses')
    writeFileSync(pack, packText(evaluators, [...evaluators.keys()]))
    writeFileSync(usesFile, '')
    await runUsual('measure', { ...manifest, packs: [pack], packOf: evaluators.map(() => 0) }, home, usesFile)
    const lines = readFileSync(usesFile, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => new Set(JSON.parse(line)))
  })

/**
 * Writes the code that V8 compiles for usual commands beside the packs, in files of the same names: with it their first
 * run is as fast as later ones. Resolves with whether that worked; without it everything runs, if slower.
 */
export const compilePacks = (manifest) =>
  inNewFolder(async (home) => (await runUsual('compile', manifest, home, '')) === 0)

const exitCodeOf = (args, env) =>
  new Promise((resolve) => {
    // Pipes, as most of those who wait for a command have them; what comes is dropped.
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', () => resolve(1))
    child.once('exit', resolve)
  })
