import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'

/**
 * Runs usual commands. Arguments: what for, `measure` or `compile`; a manifest; the file that `measure` adds the chunks
 * of each command to; perhaps `client`.
 */
const [purpose, manifestFile, usesFile, isClient] = process.argv.slice(2)
const root = fileURLToPath(new URL('../..', import.meta.url))
const examples = path.join(root, 'templates-examples')
const example = path.join(examples, 'coffee-coupon.yaml')

const require = createRequire(import.meta.url)
const { openPacks } = require('../../bin/launch.js')
const { withChecksum } = require('../../bin/compiled-code.js')
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
const scripts = new Map()

/** Commands of a client, which run against the service that `local` ends with. */
const client = [
  ['profile', 'get', '--json'],
  ['template', 'list'],
]

const local = [
  ['--help'],
  ['template', '--help'],
  ['template', 'validate', example],
  ['template', 'validate', example],
  ['template', 'create', example],
  ['template', 'list', '--color'],
  ['validate', examples],
  ['plan', examples],
  ['apply', examples, '--yes'],
  ['serve', '--port', '0', '--', process.execPath, ...process.argv.slice(1), 'client'],
]

function compile(filename, source) {
  if (!scripts.has(filename)) scripts.set(filename, new vm.Script(source, { filename: nameOf(filename) }))
  return scripts.get(filename)
}

/**
 * The name of a script, which its compiled code holds and stack traces show, so without a folder of this machine. A copy:
 * V8 would store a part of a path with the whole.
 */
const nameOf = (filename) => Buffer.from(`vatom/dist/${path.basename(filename)}`).toString()

/** Compiles packs so that each chunk is added to a set when it is evaluated. */
const recordingIn = (used) => (filename, source) => ({
  runInThisContext: () => (load) => {
    const evaluators = Object.entries(compile(filename, source).runInThisContext()(load))
    const recording = evaluators.map(([number, evaluate]) => [
      number,
      (module) => {
        used.add(Number(number))
        evaluate(module)
      },
    ])
    return Object.fromEntries(recording)
  },
})

/** Runs a command with modules of its own, and records which chunks it evaluates. */
async function measure(run) {
  const used = new Set()
  await run(openPacks(manifest, recordingIn(used)))
  appendFileSync(usesFile, `${JSON.stringify([...used])}\n`)
}

/** A test with a service in this process. */
async function test({ startService }) {
  const service = await startService({ users: [{}], catalog: examples })
  await service.client.getProfile({})
  await service.reset()
  await service.close()
}

function writeCompiled() {
  // A service that listens has changed this flag.
  setFlagsFromString('--heap-growing-percent=0')
  for (const [filename, script] of scripts) {
    const target = filename.replace(/js$/, 'v8')
    writeFileSync(`${target}.${process.pid}`, withChecksum(script.createCachedData()))
    renameSync(`${target}.${process.pid}`, target)
  }
}

const shared = openPacks(manifest, compile)
const around = { measure, compile: (run) => run(shared) }[purpose]
for (const words of isClient ? client : local) {
  process.argv = [process.execPath, 'vatom', ...words]
  await around(async (load) => {
    if ((await load(manifest.entry).run(manifest.source)) !== 0) process.exit(1)
  })
}
if (!isClient) await around((load) => test(load(manifest.libraries.testing)))
// At the very end, when V8's flags are what they were at the start: code is only taken under the same flags.
if (purpose === 'compile') process.once('exit', writeCompiled)
process.exit(0)
