const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const { openCodeCache } = require('./code-cache.js')

const dist = path.join(__dirname, '../dist')

/** The words of a command line without its options and the values that follow some of them. */
function commandWords(argv, valueOptions) {
  const words = []
  for (let at = 0; at < argv.length; at++) {
    if (argv[at] === '--') break
    if (valueOptions.includes(argv[at])) at++
    else if (!argv[at].startsWith('-')) words.push(argv[at])
  }
  return words
}

/** The bundle that answers a command line, and the name under which its compiled code is kept. */
function choose(words, families) {
  const [noun, verb] = words[0] === 'help' ? words.slice(1) : words
  const family = Object.keys(families).find((name) => families[name].words.includes(noun))
  if (!family) return { bundle: 'root', command: 'root' }
  return { bundle: family, command: families[family].verbs.includes(verb) ? `${noun}-${verb}` : noun }
}

function readManifest() {
  try {
    return JSON.parse(fs.readFileSync(path.join(dist, 'manifest.json'), 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

/** Returns a function that evaluates a bundle once and gives its exports. */
function bundleLoader(manifest, cache) {
  const loaded = new Map()
  return function load(name) {
    const known = loaded.get(name)
    if (known) return known.exports
    const filename = path.join(dist, manifest.bundles[name])
    const script = cache.compile(vm, filename, fs.readFileSync(filename, 'latin1'))
    const module = { exports: {} }
    loaded.set(name, module)
    const own = new Map(Object.keys(manifest.bundles).map((bundle) => [`vatom:${bundle}`, bundle]))
    const requireHere = (id) => (own.has(id) ? load(own.get(id)) : require(id))
    script.runInThisContext()(module.exports, requireHere, module, filename, dist)
    return module.exports
  }
}

/** Runs a command line: loads the one bundle that answers it, with the code compiled by an earlier run. */
exports.launch = function launch(argv) {
  const manifest = readManifest()
  if (!manifest) {
    console.error('vatom is not built: run npm run build')
    process.exitCode = 1
    return
  }
  const { bundle, command } = choose(commandWords(argv, manifest.valueOptions), manifest.families)
  const load = bundleLoader(manifest, openCodeCache(manifest.version, command, process.env))
  load(bundle).run(manifest.bundles[bundle])
}
