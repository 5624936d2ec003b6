import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { lazyBuiltins } from './lazy-builtins.mjs'
import { lazyFunctions } from './lazy-functions.mjs'

/** What stays outside every bundle: it has native code. */
const native = ['@photostructure/sqlite']

/** The service, which a command line's bundle loads only when a command runs it. */
const service = 'src/server/service.ts'

/** What turns a bundle into a function expression, which launch.js calls with a `require` of its own. */
const wrapper = {
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
}

const shared = {
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  mainFields: ['module', 'main'],
  charset: 'ascii',
  legalComments: 'none',
  minifyWhitespace: true,
  minifySyntax: true,
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
  external: native,
  ...wrapper,
}

/** Leaves every dynamic import out that the bundle is not about: launch.js answers the service's, nothing the others'. */
function cutImports(root, others) {
  const outside = new Map([[path.join(root, service), 'vatom:server'], ...others.map((file) => [file, 'vatom:other'])])
  return {
    name: 'cut-imports',
    setup(bundle) {
      bundle.onResolve({ filter: /^\./ }, ({ kind, path: specifier, resolveDir }) => {
        const external = kind === 'dynamic-import' && outside.get(path.resolve(resolveDir, specifier))
        return external ? { path: external, external: true } : undefined
      })
    },
  }
}

async function bundled(options) {
  const { outputFiles } = await build({ ...shared, ...options })
  return outputFiles[0].text
}

/** The command line with the commands of one family; `others` are the modules of all other families. */
export const bundleFamily = (root, others, vendors, notices) =>
  bundled({
    absWorkingDir: root,
    entryPoints: ['src/cli/entry.ts'],
    plugins: [cutImports(root, others), vendors.plugin, lazyFunctions, lazyBuiltins, notices.plugin],
  })

/** The service by itself. */
export const bundleService = (root, vendors, notices) =>
  bundled({ absWorkingDir: root, entryPoints: [service], plugins: [vendors.plugin, lazyBuiltins, notices.plugin] })

/** A module that is given as text and imports packages. */
export const bundleVendor = (root, contents, notices) =>
  bundled({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    define: { 'WebAssembly.Module': 'QuickModule' },
    inject: [fileURLToPath(new URL('quick-wasm.js', import.meta.url))],
    plugins: [lazyFunctions, lazyBuiltins, notices.plugin],
  })
