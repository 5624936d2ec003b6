const fs = require('node:fs')
const path = require('node:path')
const { undamaged, withChecksum } = require('./compiled-code.js')
const { makeOwnFolder, ownFolder, readOwn } = require('./own-files.js')

const suffix = '.v8'
const day = 24 * 60 * 60 * 1000

/** Whether this run is a pipeline's, which takes its session from the environment and leaves no trace on disk. */
function leavesNoTrace(env) {
  return Boolean(env.VATOM_BASE_URL && (env.VATOM_REFRESH_TOKEN || env.VATOM_ACCESS_TOKEN))
}

/** The folder that compiled code is to be stored in; undefined where there is none or it is not wanted. */
function cacheFolder(env) {
  if (env.VATOM_CODE_CACHE === 'off' || leavesNoTrace(env)) return undefined
  const home = env.HOME || env.USERPROFILE
  const own = env.VATOM_CACHE_DIR?.trim().replace(/^~(?=$|[/\\])/, () => home || '~')
  if (own) return path.resolve(own, 'code')
  const xdg = env.XDG_CACHE_HOME
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'vatom/code')
  return home && path.join(home, '.cache/vatom/code')
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

/**
 * Stores the code that V8 compiled in one run for the next run of the same command, which then need not compile it. For
 * a Node other than the one that the package was built with.
 *
 * A file's name holds the version, the Node, the machine, the command and the pack, whose own name holds a hash of its
 * content. A folder that others could change is not used: V8 runs what it is given. Whatever is wrong with a file or the
 * folder, the command runs as if there were none.
 */
exports.openCodeCache = function openCodeCache({ version, packs }, command, env) {
  const folder = cacheFolder(env)
  const own = folder && ownFolder(folder)
  const prefix = `${version}-${process.version}-${process.platform}-${process.arch}-`
  const endings = packs.map((pack) => `-${path.basename(pack, '.js')}${suffix}`)
  const isCurrent = (name) => name.startsWith(prefix) && endings.some((ending) => name.endsWith(ending))
  const fresh = []

  function save() {
    try {
      const made = makeOwnFolder(folder)
      if (!made) return
      for (const { name, script } of fresh) writeOwn(path.join(made, name), withChecksum(script.createCachedData()))
      prune(made, isCurrent)
    } catch {
      // A folder that can't be written to costs the next run some time and nothing else.
    }
  }

  /** Compiles a pack, from what an earlier run stored where that fits. */
  function compile(vm, filename, source) {
    if (!folder) return new vm.Script(source, { filename })
    const name = `${prefix}${command}-${path.basename(filename, '.js')}${suffix}`
    const content = own && readOwn(path.join(own, name))
    const cachedData = content && undamaged(content)
    const script = new vm.Script(source, { filename, cachedData })
    if (!cachedData || script.cachedDataRejected) {
      if (fresh.length === 0) process.once('exit', (code) => code === 0 && save())
      fresh.push({ name, script })
    }
    return script
  }

  return { compile }
}
