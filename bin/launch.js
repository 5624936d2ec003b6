const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const { openCodeCache } = require('./code-cache.js')

const dist = path.join(__dirname, '../dist')

/** The name under which a command line's compiled code is stored: its noun and verb, as far as there are such commands. */
function commandOf(argv, commands) {
  const noun = argv.find((word) => Object.hasOwn(commands, word))
  if (noun === undefined) return 'vatom'
  const verb = argv.find((word) => commands[noun].includes(word))
  return verb === undefined ? noun : `${noun}-${verb}`
}

function readManifest() {
  try {
    return JSON.parse(fs.readFileSync(path.join(dist, 'manifest.json'), 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

/** Returns a `require` for packages, for Node's modules, and for chunks of our packs by their `pack/index`. */
function chunkLoader({ packs }, cache) {
  const chunks = new Map()
  const evaluators = new Map()

  function open(pack) {
    const filename = path.join(dist, packs[pack])
    const script = cache.compile(vm, filename, fs.readFileSync(filename, 'latin1'))
    const functions = script.runInThisContext()(load)
    evaluators.set(pack, functions)
    return functions
  }

  function load(id) {
    const known = chunks.get(id)
    if (known) return known.exports
    const [pack, index] = id.split('/')
    if (!Object.hasOwn(packs, pack)) return require(id)
    const module = { exports: {} }
    chunks.set(id, module)
    const functions = evaluators.get(pack) ?? open(pack)
    functions[index](module)
    return module.exports
  }

  return load
}

/** Runs a command line with the code that an earlier run compiled. */
exports.launch = function launch(argv) {
  const manifest = readManifest()
  if (!manifest) {
    console.error('vatom is not built: run npm run build')
    process.exitCode = 1
    return
  }
  const cache = openCodeCache(manifest.version, commandOf(argv, manifest.commands), process.env)
  chunkLoader(manifest, cache)(manifest.entry).run(manifest.source)
}
