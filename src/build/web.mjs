import { build } from 'esbuild'
import { quietModelViewer } from './quiet-model-viewer.mjs'

/** What pages load, by the name they have in the manifest. */
const entryPoints = {
  preview: 'src/web/preview/main.ts',
  'preview-style': 'src/web/preview/preview.css',
  console: 'src/web/console/main.tsx',
  'console-style': 'src/web/console/console.css',
}

/**
 * Compiles what runs in a browser into modules: heavy parts are files of their own, which are loaded when they are first
 * needed, and every name holds a hash of its content, so that a browser can cache it for good. Resolves with the files,
 * with the names of the entry points, and with all files that they are made from.
 */
export async function bundleForBrowsers(root, entries = entryPoints) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: '.',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    minify: true,
    logLevel: 'warning',
    plugins: [quietModelViewer],
  })
  const files = outputFiles.map(({ path, text }) => ({ name: path.split('/').pop(), text }))
  const outputs = Object.entries(metafile.outputs)
  const nameOf = (source) => outputs.find(([, { entryPoint }]) => entryPoint === source)[0]
  const names = Object.entries(entries).map(([entry, source]) => [entry, nameOf(source)])
  return { files, entries: Object.fromEntries(names), sources: Object.keys(metafile.inputs) }
}
