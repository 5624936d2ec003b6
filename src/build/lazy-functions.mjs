const namespace = 'lazy-function'

/**
 * Modules that take long to load, long before they are called or without being called at all: undici's HTTP/2, which is
 * off; string-width, whose regular expressions take 15 ms to compile; asn1.js, with which fast-jwt reads keys of other
 * kinds than ours; the lists of languages and currencies, which few documents name.
 */
const costly = [
  { filter: /\/client-h2\.js$/, standIn: (path) => `module.exports = (...args) => require('${path}')(...args)` },
  {
    filter: /^asn1\.js$/,
    standIn: (path) => `exports.define = (...args) => {
      let model
      const load = () => (model ??= require('${path}').define(...args))
      return { decode: (...given) => load().decode(...given), encode: (...given) => load().encode(...given) }
    }`,
  },
  { filter: /^currency-codes$/, standIn: (path) => `exports.codes = () => require('${path}').codes()` },
  { filter: /^iso-639-1$/, standIn: (path) => `exports.getAllCodes = () => require('${path}').getAllCodes()` },
  { filter: /^string-width$/, standIn: (path) => `export default (...args) => require('${path}').default(...args)` },
]

/** Puts in the place of each what loads the real one when it is called. */
export const lazyFunctions = {
  name: 'lazy-functions',
  setup(bundle) {
    for (const { filter, standIn } of costly) {
      bundle.onResolve({ filter }, ({ path, resolveDir, namespace: from }) =>
        from === namespace ? undefined : { path, namespace, pluginData: resolveDir },
      )
      bundle.onLoad({ filter, namespace }, ({ path, pluginData }) => ({
        contents: standIn(path),
        resolveDir: pluginData,
      }))
    }
  },
}
