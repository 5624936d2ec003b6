import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

/** Runs usual commands, then writes the code that was compiled for them. Arguments: a manifest, and `client`. */
const [file, isClient] = process.argv.slice(2)
const root = fileURLToPath(new URL('../..', import.meta.url))
const self = fileURLToPath(import.meta.url)
const examples = path.join(root, 'templates-examples')
const example = path.join(examples, 'coffee-coupon.yaml')

const manifest = JSON.parse(readFileSync(file, 'utf8'))
const scripts = new Map()
const require = createRequire(import.meta.url)
const { openPacks } = require('../../bin/launch.js')
const { withChecksum } = require('../../bin/compiled-code.js')
const load = openPacks(manifest, (filename, source) => {
  const script = new vm.Script(source, { filename })
  scripts.set(filename, script)
  return script
})
const { run } = load(manifest.entry)

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
  ['template', 'list'],
  ['validate', examples],
  ['serve', '--port', '0', '--', process.execPath, self, file, 'client'],
]

function writeCompiled() {
  for (const [filename, script] of scripts) {
    // The client's other packs are compiled here, too, with more of what is in them.
    if (isClient && path.basename(filename) !== manifest.packs.network) continue
    const target = filename.replace(/js$/, 'v8')
    writeFileSync(`${target}.${process.pid}`, withChecksum(script.createCachedData()))
    renameSync(`${target}.${process.pid}`, target)
  }
}

for (const words of isClient ? client : local) {
  process.argv = [process.execPath, 'vatom', ...words]
  if ((await run(manifest.source)) !== 0) process.exit(1)
}
// At the very end, when V8's flags are what they were at the start: code is only taken under the same flags.
process.once('exit', writeCompiled)
process.exit(0)
