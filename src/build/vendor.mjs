const namespace = 'vendor'

/** Large packages that few runs need: each is a bundle of its own instead of a part of every bundle that imports it. */
const packages = [
  '@fastify/busboy',
  '@fastify/send',
  '@inquirer/prompts',
  'conf',
  'file-type',
  'ora',
  'tinyglobby',
  'undici',
  'ws',
]

const filter = new RegExp(`^(${packages.join('|')})(/|$)`)
const packageOf = (specifier) => specifier.match(filter)[1]

/** The name of a package's bundle, fit for a file name. */
export const bundleName = (name) => name.replace(/^@/, '').replace('/', '-')

/** What is imported from the packages, noted while the bundles that import it are made. */
export class Vendors {
  #imported = new Set()

  /** Makes imports of the packages loads of their bundles. */
  plugin = {
    name: 'vendors',
    setup: (bundle) => {
      bundle.onResolve({ filter }, ({ path, importer }) => {
        if (importer.includes('node_modules')) return undefined
        this.#imported.add(path)
        return { path, namespace }
      })
      bundle.onResolve({ filter: /^vatom:/, namespace }, ({ path }) => ({ path, external: true }))
      bundle.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `module.exports = require('vatom:${bundleName(packageOf(path))}')['${path}']`,
      }))
    },
  }

  /** The source of each package's bundle, by its name: what is imported, each loaded on first use. */
  sources() {
    const used = packages.filter((name) => [...this.#imported].some((path) => packageOf(path) === name))
    const getter = (path) => `get '${path}'() { return require('${path}') }`
    return used.map((name) => {
      const paths = [...this.#imported].filter((path) => packageOf(path) === name).sort()
      return [bundleName(name), `module.exports = { ${paths.map(getter).join(', ')} }`]
    })
  }
}
