import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { plainEnv } from '../bench/measure.mjs'
import { entry, homeEnv, scratchFolder } from '../bench/vatom.mjs'

/** The folder of all homes; it is removed when the attack ends. */
let homes

/** A home of its own, and what starts the built command line there. */
export function newMachine() {
  homes ??= scratchFolder()
  const home = mkdtempSync(path.join(homes, 'home-'))
  return { home, start: (args, options) => startIn(home, args, options) }
}

/** Starts the built command line; `ended` resolves with how it ended and what it wrote. */
function startIn(home, args, { env, input = '', cwd = home, ...rest } = {}) {
  const child = spawn(process.execPath, [entry, ...args], { cwd, env: plainEnv({ ...homeEnv(home), ...env }), ...rest })
  const written = { out: '', err: '' }
  child.stdin.on('error', () => {}).end(input)
  child.stdout.on('data', (chunk) => {
    written.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    written.err += chunk
  })
  const ended = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, ...written }))
  })
  return { child, ended }
}

/** The paths of all files below a folder, in order. */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
