import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Node's own modules that take long to load and that are imported long before they are used. */
const costly = [
  'assert',
  'child_process',
  'crypto',
  'dns',
  'fs/promises',
  'http',
  'http2',
  'https',
  'inspector',
  'net',
  'os',
  'perf_hooks',
  'timers/promises',
  'tls',
  'tty',
  'v8',
  'worker_threads',
  'zlib',
]

const namespace = 'lazy-builtin'

/** What modules that are functions themselves are when they are called: an assertion loads nothing while it holds. */
const called = { 'node:assert': '(value, ...rest) => value || load()(value, ...rest)' }

/** A module with the same properties, each of which loads the real one when it is read. */
function standIn(id) {
  const real = require(id)
  // What is global, too, takes no loading.
  const sourceOf = (key) => (Object.hasOwn(globalThis, key) && globalThis[key] === real[key] ? 'globalThis' : 'load()')
  const getters = Object.keys(real).map((key) => `get ${key}() { return ${sourceOf(key)}.${key} }`)
  const properties = `{ ${getters.join(',')} }`
  const module = called[id]
    ? `Object.defineProperties(${called[id]}, Object.getOwnPropertyDescriptors(${properties}))`
    : properties
  return `let loaded; const load = () => loaded ??= require('${id}'); module.exports = ${module}`
}

/** Loads Node's costly modules on first use instead of first mention. */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(bundle) {
    const filter = new RegExp(`^(node:)?(${costly.join('|')})$`)
    bundle.onResolve({ filter }, ({ path, namespace: from, kind }) => {
      const id = path.startsWith('node:') ? path : `node:${path}`
      // What is imported dynamically is loaded on first use as it is; a stand-in would only have a default export.
      const isReal = from === namespace || kind === 'dynamic-import'
      return isReal ? { path: id, external: true } : { path: id, namespace }
    })
    bundle.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: standIn(path) }))
  },
}
