import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { evaluateSource } from './evaluate.mjs'
import { ownZod } from './replaced-modules.mjs'

/** What programs import of the package, by the name behind `vatom/`. */
export const libraries = { client: 'src/client/library.ts', testing: 'src/testing/library.ts' }

/** Modules that load a library from the packs: one for `require`, and one for `import` with its names. */
const loaders = (name, exported) => ({
  [`${name}.cjs`]: `module.exports = require('../../bin/launch.js').library('${name}')\n`,
  [`${name}.mjs`]: `import library from './${name}.cjs'\n\nexport const { ${exported.join(', ')} } = library\n`,
  [`${name}.d.mts`]: `export * from './${name}.cjs'\n`,
})

/** What a file of types imports from other rooms is declared by the client's library. */
function withoutImports(text) {
  const names = [...text.matchAll(/^import type \{ (.*) \} from '.*'\n/gm)].flatMap(([, found]) => found.split(', '))
  return { names, text: text.replaceAll(/^import .*\n/gm, '') }
}

async function declarationsOf(root) {
  const read = (name) => readFileSync(path.join(root, name), 'utf8')
  const { typeDeclarations } = await evaluateSource(root, 'src/contract/derived/type-declarations.ts')
  const service = withoutImports(read('src/testing/service-types.ts'))
  return {
    'client.d.cts': read('src/client/library-types.d.ts') + typeDeclarations(),
    'testing.d.cts':
      `/// <reference lib="esnext.disposable" />\nimport type { ${service.names.join(', ')} } from './client.cjs'\n\nexport * from './client.cjs'\n` +
      service.text +
      read('src/testing/library-types.d.ts').replaceAll(/^import .*\n/gm, ''),
  }
}

/** The client for browsers, in one module. */
async function clientForBrowsers(root) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [libraries.client],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    legalComments: 'none',
    minify: true,
    logLevel: 'warning',
    plugins: [ownZod],
  })
  return { text: outputFiles[0].text, sources: Object.keys(metafile.inputs) }
}

/** The files of the libraries by their names, given the chunks that they are loaded from; and their sources for browsers. */
export async function libraryFiles(root, chunks) {
  const [declarations, browser] = await Promise.all([declarationsOf(root), clientForBrowsers(root)])
  const exportsOf = (source) => chunks.find(({ entryPoint }) => entryPoint === source).exports
  const files = Object.entries(libraries).map(([name, source]) => loaders(name, exportsOf(source)))
  return {
    files: { ...Object.assign({}, ...files), ...declarations, 'client.browser.mjs': browser.text },
    sources: browser.sources,
  }
}
