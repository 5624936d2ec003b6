import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  readManifest,
  removeLeftovers,
  writeLibraryFiles,
  writeManifest,
  writePackFiles,
  writeWebFiles,
} from './output.mjs'
import { hashSources } from './sources.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = path.join(root, 'dist')

const entryPoint = 'src/cli/entry.ts'
/** What runs for days, and may be updated meanwhile. */
const servicePoint = 'src/server/service.ts'

/** Makes the packs, and what runs in browsers, from the sources; resolves with the manifest, which is not written yet. */
async function buildPacks(source, measureUses) {
  const [
    { bundle },
    { bundleForBrowsers },
    { packText, writeEvaluators },
    { sortIntoPacks },
    { reachableFrom },
    { readWords },
    { noticesOf },
    { libraries, libraryFiles },
  ] = await Promise.all([
    import('./bundle.mjs'),
    import('./web.mjs'),
    import('./chunks.mjs'),
    import('./sort-chunks.mjs'),
    import('./reachable.mjs'),
    import('./commands.mjs'),
    import('./notices.mjs'),
    import('./libraries.mjs'),
  ])
  const [{ chunks, files }, web] = await Promise.all([
    bundle(root, [entryPoint, ...Object.values(libraries)]),
    bundleForBrowsers(root),
  ])
  const evaluators = await writeEvaluators(chunks)
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const numberOf = (source) => chunks.findIndex((chunk) => chunk.entryPoint === source)
  const entry = numberOf(entryPoint)
  const numbers = Object.fromEntries(Object.entries(libraries).map(([name, source]) => [name, numberOf(source)]))
  const manifest = { version, entry, libraries: numbers, words: readWords(root), source }
  const sorted = sortIntoPacks(chunks, await measureUses(evaluators, manifest))
  const texts = sorted.map((numbers) => packText(evaluators, numbers))
  writeWebFiles(dist, web)
  const library = await libraryFiles(root, chunks)
  writeLibraryFiles(dist, library.files)
  const packs = writePackFiles(dist, texts, noticesOf(root, [...files, ...web.sources, ...library.sources]))
  const packOf = chunks.map((_, number) => sorted.findIndex((pack) => pack.includes(number)))
  const service = new Set([...reachableFrom(chunks, servicePoint)].map((number) => packOf[number]))
  return { ...manifest, packs, packOf, service: [...service] }
}

/** How the build learns from usual commands: which chunks each evaluates, and what V8 compiles for them. */
async function usualCommands() {
  const { measureUses, compilePacks } = await import('./usual-commands.mjs')
  const { platform } = createRequire(import.meta.url)('../../bin/launch.js')
  return { measureUses, compile: async (manifest) => ((await compilePacks(manifest)) ? { compiledFor: platform } : {}) }
}

const noCommands = { measureUses: () => [], compile: () => ({}) }

async function run({ 'if-stale': ifStale, quick }) {
  const source = hashSources(root)
  if (ifStale && readManifest(dist)?.source === source) return
  const { measureUses, compile } = quick ? noCommands : await usualCommands()
  const manifest = await buildPacks(source, measureUses)
  writeManifest(dist, { ...manifest, ...(await compile(manifest)) })
  if (ifStale) return
  removeLeftovers(dist)
  const files = readdirSync(dist, { recursive: true })
  const size = files.reduce((sum, name) => sum + statSync(path.join(dist, name)).size, 0)
  console.error(`built ${files.length} files in dist, ${Math.round(size / 1024)} KB`)
}

const { values } = parseArgs({
  options: {
    'if-stale': { type: 'boolean', default: false },
    // Without running commands, which takes seconds: nothing is measured and nothing is compiled.
    quick: { type: 'boolean', default: false },
  },
})
try {
  await run(values)
} catch (error) {
  // esbuild has printed what is wrong with the sources.
  if (!error.errors) throw error
  process.exitCode = 1
}
