import { build } from 'esbuild'
import { lazyBuiltins } from './lazy-builtins.mjs'
import { lazyFunctions } from './lazy-functions.mjs'
import {
  clientWithoutHttp,
  globWithoutSearch,
  ownZod,
  plainRouter,
  prebuiltSqlite,
  quickWasm,
  smallFastify,
  writeWithoutSignals,
} from './replaced-modules.mjs'

/**
 * Compiles everything that the command line reaches into chunks: modules that the same entry points and dynamic imports
 * lead to are one chunk, so that each is evaluated when the first that needs it is, and nothing is there twice. Their
 * order is the same in every build. Resolves with the chunks and with all files that they are made from.
 */
export async function bundle(root, entryPoints) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    entryNames: '[name]-[hash]',
    outdir: '.',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    charset: 'ascii',
    legalComments: 'none',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    loader: { '.md': 'text' },
    plugins: [
      ownZod,
      lazyFunctions,
      quickWasm,
      clientWithoutHttp,
      prebuiltSqlite,
      smallFastify,
      plainRouter,
      globWithoutSearch,
      writeWithoutSignals,
      lazyBuiltins,
    ],
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [path.split('/').pop(), text]))
  const chunks = Object.entries(metafile.outputs).map(([name, output]) => ({ ...output, name, text: texts.get(name) }))
  chunks.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { chunks, files: Object.keys(metafile.inputs) }
}
