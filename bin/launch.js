const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const dist = path.join(__dirname, '../dist')

/** What compiled code depends on besides its source, as far as V8 does not check it. */
exports.platform = `${process.version}-${process.platform}-${process.arch}`

/** The name under which a command line's compiled code is cached: its noun, and what may be its verb. */
function commandOf(argv, words) {
  const at = argv.findIndex((word) => words.includes(word))
  if (at < 0) return 'vatom'
  const next = argv[at + 1] ?? ''
  return /^[a-z]{1,12}$/.test(next) ? `${argv[at]}-${next}` : argv[at]
}

/** What the build wrote about itself; undefined where there is none, or where it is damaged. */
function readManifest() {
  try {
    const manifest = JSON.parse(fs.readFileSync(path.join(dist, 'manifest.json'), 'utf8'))
    return manifest?.packs && manifest.packOf && manifest.words ? manifest : undefined
  } catch {
    return undefined
  }
}

/** Files are read into the same memory one after another, for memory that is used for the first time takes longer. */
let memory

/** What a file holds, until the next is read. */
function readFile(file) {
  memory ??= Buffer.allocUnsafeSlow(1024 * 1024)
  const handle = fs.openSync(file)
  try {
    let length = 0
    let read
    do {
      read = fs.readSync(handle, memory, length, memory.length - length)
      length += read
    } while (read > 0)
    return length < memory.length ? memory.subarray(0, length) : fs.readFileSync(file)
  } finally {
    fs.closeSync(handle)
  }
}

/** A pack with the code that the build compiled; undefined where that is missing, damaged or of another V8. */
function compiledByBuild(filename, source) {
  const { undamaged } = require('./compiled-code.js')
  try {
    const cachedData = undamaged(readFile(filename.replace(/js$/, 'v8')))
    const script = cachedData && new vm.Script(source, { filename, cachedData })
    return script?.cachedDataRejected ? undefined : script
  } catch {
    return undefined
  }
}

/** Returns how a pack is compiled: with the code of the build where that was made for this Node, else of an earlier run. */
function compiler(manifest, argv) {
  const isShipped = manifest.compiledFor === exports.platform && process.env.VATOM_CODE_CACHE !== 'off'
  let cache
  return (filename, source) => {
    const shipped = isShipped ? compiledByBuild(filename, source) : undefined
    if (shipped) return shipped
    cache ??= require('./code-cache.js').openCodeCache(manifest, commandOf(argv, manifest.words), process.env)
    return cache.compile(vm, filename, source)
  }
}

/** What a process fails with whose code an update of the package has removed; the service knows it by its code. */
const replaced = (cause) =>
  Object.assign(new Error('vatom was replaced by another version while it runs: start it again', { cause }), {
    code: 'VATOM_REPLACED',
  })

/**
 * Returns a `require` for packages, for Node's modules, and for chunks of our packs by their numbers; its `hold` reads the
 * packs that a service may need later.
 */
exports.openPacks = function openPacks({ packs, packOf, service = [] }, compile) {
  const chunks = []
  const opened = []
  const held = []

  function read(pack, filename) {
    try {
      return held[pack] ?? readFile(filename)
    } catch (error) {
      throw error.code === 'ENOENT' && opened.length > 0 ? replaced(error) : error
    }
  }

  function open(pack) {
    const filename = path.resolve(dist, packs[pack])
    const script = compile(filename, read(pack, filename).latin1Slice())
    delete held[pack]
    return script.runInThisContext()(load)
  }

  function load(id) {
    if (typeof id === 'string') return require(id)
    if (chunks[id]) return chunks[id].exports
    const pack = packOf[id]
    opened[pack] ??= open(pack)
    const module = { exports: {} }
    chunks[id] = module
    try {
      opened[pack][id](module)
    } catch (error) {
      delete chunks[id]
      throw error
    }
    return module.exports
  }

  load.resolve = require.resolve
  load.hold = async () => {
    for (const name of ['./compiled-code.js', './code-cache.js']) require(name)
    // At once: one after the other by promises, they take ten times as long.
    for (const pack of service) if (!opened[pack]) held[pack] = fs.readFileSync(path.resolve(dist, packs[pack]))
  }
  return load
}

/** Compiles a pack for the realm that this file runs in, which is one of its own in some test runners. */
const inThisRealm = (filename, source) => ({
  // biome-ignore lint/security/noGlobalEval: vm compiles for the main realm, whose errors and objects are others
  runInThisContext: () => globalThis.eval(`${source}\n//# sourceURL=${filename}`),
})

/** Compiles a pack, with the code of the build where that was made for this Node. */
function libraryCompiler({ compiledFor }) {
  if (vm.runInThisContext('Object') !== Object) return inThisRealm
  return (filename, source) =>
    (compiledFor === exports.platform ? compiledByBuild(filename, source) : undefined) ??
    new vm.Script(source, { filename })
}

let packs

/** The exports of a library; all share their modules. */
exports.library = function library(name) {
  const manifest = readManifest()
  if (!manifest) throw new Error('vatom is not built, or it is damaged: run npm run build, or install it again')
  packs ??= exports.openPacks(manifest, libraryCompiler(manifest))
  return packs(manifest.libraries[name])
}

/** Runs a command line. */
exports.launch = function launch(argv) {
  const manifest = readManifest()
  if (!manifest) return fail('vatom is not built, or it is damaged')
  try {
    const load = exports.openPacks(manifest, compiler(manifest, argv))
    load(manifest.entry).run(manifest.source, path.join(dist, 'web'), load.hold).catch(unread)
  } catch (error) {
    fail(`dist was built from another version of vatom, or it is damaged (${error.message})`)
  }
}

/** Says why the code of the command line itself could not be read. */
function unread({ code, message }) {
  const remedy =
    code === 'EMFILE'
      ? 'let this process have more files open: ulimit -n 4096; in a container: --ulimit nofile=4096'
      : 'install vatom again'
  console.error(`error: ${message}\nhint: ${remedy}`)
  process.exitCode = 1
}

function fail(reason) {
  console.error(`${reason}: run npm run build, or install it again`)
  process.exitCode = 1
}
