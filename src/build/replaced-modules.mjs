import { readFileSync } from 'node:fs'
import { maxHeaderSize } from 'node:http'
import { fileURLToPath } from 'node:url'

const quickModule = fileURLToPath(new URL('quick-wasm.js', import.meta.url))
const sqliteModule = fileURLToPath(new URL('prebuilt-sqlite.js', import.meta.url))

/** Gives undici's HTTP parser, which is WebAssembly, a quicker compiler. */
export const quickWasm = {
  name: 'quick-wasm',
  setup(bundle) {
    bundle.onLoad({ filter: /\/undici\/lib\/dispatcher\/client-h1\.js$/ }, ({ path }) => ({
      contents: `const WebAssembly = require(${JSON.stringify(quickModule)})\n${readFileSync(path, 'utf8')}`,
    }))
  },
}

/** Gives undici what it takes of node:http, which it loads for a default and for a class of bodies that we never send. */
export const clientWithoutHttp = {
  name: 'client-without-http',
  setup(bundle) {
    const namespace = 'client-without-http'
    bundle.onResolve({ filter: /^node:http$/ }, ({ path, importer }) =>
      /\/undici\/lib\/(core\/util|dispatcher\/client)\.js$/.test(importer) ? { path, namespace } : undefined,
    )
    bundle.onLoad({ filter: /.*/, namespace }, () => ({
      contents: `exports.maxHeaderSize = ${maxHeaderSize}; exports.IncomingMessage = class {}`,
    }))
  },
}

/** Gives zod settings of its own: it shares them with each copy of it in a process, such as that of an app which is tested. */
export const ownZod = {
  name: 'own-zod',
  setup(bundle) {
    bundle.onLoad({ filter: /\/zod\/v4\/core\/core\.c?js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('__zod_globalConfig', '__vatom_zod_config'),
    }))
  },
}

/** Takes the native code of SQLite's package directly, which saves the search for it. */
export const prebuiltSqlite = {
  name: 'prebuilt-sqlite',
  setup(bundle) {
    bundle.onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: sqliteModule } : { path, external: true },
    )
  },
}

/**
 * What fastify never reaches here, with all that it would load: compilers of JSON schemas, for it is given one that
 * refuses them (`noSchemas`), and the check of its plugins' versions, which the lock file fixes.
 */
const unreached = {
  '@fastify/ajv-compiler': "() => { throw new Error('no route has a JSON schema') }",
  '@fastify/fast-json-stringify-compiler': "() => { throw new Error('no route has a JSON schema') }",
  semver: '{ satisfies: () => true }',
}

/** Leaves that out. */
export const smallFastify = {
  name: 'small-fastify',
  setup(bundle) {
    const namespace = 'small-fastify'
    const filter = new RegExp(`^(${Object.keys(unreached).join('|')})$`)
    bundle.onResolve({ filter }, ({ path, importer }) =>
      /\/fastify\/lib\//.test(importer) ? { path, namespace } : undefined,
    )
    bundle.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: `module.exports = ${unreached[path]}` }))
  },
}

const compiledPrefix = /return new Function\('path', 'i', .*/

/** Compares the prefixes of routes in a loop: compiling a function for each at every start takes longer. */
export const plainRouter = {
  name: 'plain-router',
  setup(bundle) {
    bundle.onLoad({ filter: /\/find-my-way\/lib\/node\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!compiledPrefix.test(source)) throw new Error(`${path} has changed: is plainRouter still of use?`)
      return { contents: source.replace(compiledPrefix, 'return (path, i) => path.startsWith(prefix, i)') }
    })
  },
}

const ownRequire = 'createRequire(import.meta.url)'

/** Leaves out of fdir its search for a package that tinyglobby brings along: in a pack a module has no address to search from. */
export const globWithoutSearch = {
  name: 'glob-without-search',
  setup(bundle) {
    bundle.onLoad({ filter: /\/fdir\/dist\/index\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes(ownRequire)) throw new Error(`${path} has changed: is globWithoutSearch still of use?`)
      return { contents: source.replace(ownRequire, 'undefined') }
    })
  },
}

const unlinkAtEnd = "import process from 'node:process'; export default (callback) => process.once('exit', callback)"

/** Leaves the handlers of signals out of what conf writes with: they send a signal again, so that one Ctrl-C counts as two. */
export const writeWithoutSignals = {
  name: 'write-without-signals',
  setup(bundle) {
    bundle.onLoad({ filter: /\/when-exit\/dist\/node\/index\.js$/ }, () => ({ contents: unlinkAtEnd }))
  },
}
