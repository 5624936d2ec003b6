const fs = require('node:fs')
const path = require('node:path')

/** Whether a file or folder is of this user, and nobody else can write to it. Windows has no such owners. */
const isOwn = ({ uid, mode }) => !process.getuid || (uid === process.getuid() && !(mode & 0o022))

/**
 * Whether nobody but this user and root can rename what is in a folder: others may write to it only where that is sticky.
 * A group of this user alone may, which has the number of the user where systems give each one a group.
 */
function isSafeAbove({ uid, gid, mode }) {
  if (!process.getuid) return true
  if (uid !== 0 && uid !== process.getuid()) return false
  return Boolean(mode & 0o1000) || !(mode & (gid === process.getuid() ? 0o002 : 0o022))
}

/** Whether nobody else can let a real path lead to another folder. */
function isSafe(folder) {
  if (!isSafeAbove(fs.lstatSync(folder))) return false
  const above = path.dirname(folder)
  return above === folder || isSafe(above)
}

/** Where a folder really is, if nobody but this user can have put anything there; else undefined. */
exports.ownFolder = function ownFolder(folder) {
  try {
    const real = fs.realpathSync.native(folder)
    return isOwn(fs.lstatSync(real)) && isSafe(path.dirname(real)) ? real : undefined
  } catch {
    return undefined
  }
}

/** The same, made with all missing folders above it. Throws as mkdir does. */
exports.makeOwnFolder = function makeOwnFolder(folder) {
  makeFolder(folder)
  return exports.ownFolder(folder)
}

/**
 * Makes what is missing of a path, where nobody else can let that lead elsewhere; Node's own recursive mkdir never ends in
 * a folder such as /proc.
 */
function makeFolder(folder) {
  if (fs.existsSync(folder)) return isSafe(fs.realpathSync.native(folder))
  if (!makeFolder(path.dirname(folder))) return false
  fs.mkdirSync(folder, 0o700)
  return true
}

/** The content of a file in such a folder that only this user can have written; undefined if there is none. */
exports.readOwn = function readOwn(file) {
  let handle
  try {
    // Opening a pipe would otherwise wait for somebody to write to it.
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
    const stat = fs.fstatSync(handle)
    if (!stat.isFile() || !isOwn(stat)) return undefined
    const content = Buffer.allocUnsafeSlow(stat.size)
    return fs.readSync(handle, content, 0, stat.size, 0) === stat.size ? content : undefined
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) fs.closeSync(handle)
  }
}
