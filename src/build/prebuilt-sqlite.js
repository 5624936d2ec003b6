import { existsSync } from 'node:fs'
import path from 'node:path'

/** The native code that the package ships for this machine, loaded without its search; undefined where that fails. */
function prebuilt() {
  try {
    // Found without Node's resolver for exports, which takes milliseconds to load.
    const places = require.resolve
      .paths('@photostructure/sqlite')
      .map((folder) => path.join(folder, '@photostructure/sqlite'))
    const root = places.find((place) => existsSync(place))
    // What was compiled on this machine comes first.
    if (existsSync(path.join(root, 'build'))) return undefined
    const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
    const file = `@photostructure+sqlite.${libc}.node`
    return require(path.join(root, 'prebuilds', `${process.platform}-${process.arch}`, file))
  } catch {
    return undefined
  }
}

export const { DatabaseSync } = prebuilt() ?? require('@photostructure/sqlite')
