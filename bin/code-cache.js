const fs = require('node:fs')
const path = require('node:path')
const { undamaged, withChecksum } = require('./compiled-code.js')

const suffix = '.v8'
const day = 24 * 60 * 60 * 1000

/** Whether this run is a pipeline's, which takes its session from the environment and leaves no trace on disk. */
function leavesNoTrace(env) {
  return Boolean(env.VATOM_BASE_URL && (env.VATOM_REFRESH_TOKEN || env.VATOM_ACCESS_TOKEN))
}

/** The folder that compiled code is stored in; undefined where there is none or it is not wanted. */
function cacheFolder(env) {
  if (env.VATOM_CODE_CACHE === 'off' || leavesNoTrace(env)) return undefined
  const home = env.HOME || env.USERPROFILE
  const own = env.VATOM_CACHE_DIR?.trim().replace(/^~(?=$|[/\\])/, () => home || '~')
  if (own) return path.resolve(own, 'code')
  const xdg = env.XDG_CACHE_HOME
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'vatom/code')
  return home && path.join(home, '.cache/vatom/code')
}

/** Reads a file that only this user can have written; undefined if there is none or anything is wrong with it. */
function readOwn(file) {
  let handle
  try {
    // Opening a pipe would otherwise wait for somebody to write to it.
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
    const stat = fs.fstatSync(handle)
    if (!stat.isFile() || (process.getuid && (stat.uid !== process.getuid() || stat.mode & 0o022))) return undefined
    const content = Buffer.allocUnsafeSlow(stat.size)
    return fs.readSync(handle, content, 0, stat.size, 0) === stat.size ? undamaged(content) : undefined
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) fs.closeSync(handle)
  }
}

/** Puts a whole file in place at once, readable by this user alone. */
function writeOwn(file, content) {
  const draft = `${file}.${process.pid}`
  try {
    fs.writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
    fs.renameSync(draft, file)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}

/** What compiled code may take on disk: the files of some twenty commands. */
const maxFiles = 100
const maxBytes = 40 * 1024 * 1024

/** The files of compiled code in a folder, the newest first. */
function filesIn(folder) {
  const names = fs.readdirSync(folder).filter((name) => name.includes(suffix))
  const files = names.map((name) => {
    const { size, mtimeMs } = fs.statSync(path.join(folder, name))
    return { name, size, mtimeMs }
  })
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs)
}

/** Removes files of other builds that nothing has written for a day, and the oldest where there are too many. */
function prune(folder, isCurrent) {
  let bytes = 0
  for (const [index, { name, size, mtimeMs }] of filesIn(folder).entries()) {
    bytes += size
    const isOld = !isCurrent(name) && Date.now() - mtimeMs > day
    if (isOld || index >= maxFiles || bytes > maxBytes) fs.rmSync(path.join(folder, name), { force: true })
  }
}

/** Makes a folder and all missing folders above it; Node's own recursive mkdir never ends in a folder such as /proc. */
function makeFolder(folder) {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder))
  fs.mkdirSync(folder, 0o700)
}

/**
 * Stores the code that V8 compiled in one run for the next run of the same command, which then need not compile it. For
 * a Node other than the one that the package was built with.
 *
 * A file's name holds the version, the Node, the machine, the command and the pack, whose own name holds a hash of its
 * content. Whatever is wrong with a file or the folder, the command runs as if there were none.
 */
exports.openCodeCache = function openCodeCache({ version, packs }, command, env) {
  const folder = cacheFolder(env)
  const prefix = `${version}-${process.version}-${process.platform}-${process.arch}-`
  const endings = packs.map((pack) => `-${path.basename(pack, '.js')}${suffix}`)
  const isCurrent = (name) => name.startsWith(prefix) && endings.some((ending) => name.endsWith(ending))
  const fresh = []

  function save() {
    try {
      makeFolder(folder)
      for (const { file, script } of fresh) writeOwn(file, withChecksum(script.createCachedData()))
      prune(folder, isCurrent)
    } catch {
      // A folder that can't be written to costs the next run some time and nothing else.
    }
  }

  /** Compiles a pack, from what an earlier run stored where that fits. */
  function compile(vm, filename, source) {
    if (!folder) return new vm.Script(source, { filename })
    const file = path.join(folder, `${prefix}${command}-${path.basename(filename, '.js')}${suffix}`)
    const cachedData = readOwn(file)
    const script = new vm.Script(source, { filename, cachedData })
    if (!cachedData || script.cachedDataRejected) {
      if (fresh.length === 0) process.once('exit', (code) => code === 0 && save())
      fresh.push({ file, script })
    }
    return script
  }

  return { compile }
}
