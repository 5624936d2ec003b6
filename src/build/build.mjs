import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readManifest, removeLeftovers, writeManifest, writePackFiles } from './output.mjs'
import { hashSources } from './sources.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = path.join(root, 'dist')

const entryPoint = 'src/cli/entry.ts'

/** Makes the packs from the sources; resolves with the manifest, which is not written yet. */
async function buildPacks(source) {
  const [{ bundle }, { sortIntoPacks }, { writePacks }, { readWords }, { Notices }] = await Promise.all([
    import('./bundle.mjs'),
    import('./sort-chunks.mjs'),
    import('./write-packs.mjs'),
    import('./commands.mjs'),
    import('./notices.mjs'),
  ])
  const notices = new Notices(root)
  const chunks = await bundle(root, entryPoint, notices)
  const { packs, entry } = await writePacks(sortIntoPacks(chunks), entryPoint)
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const files = writePackFiles(dist, packs, notices.text())
  return { version, entry, words: readWords(root), source, packs: files }
}

/** What the compiled code beside the packs was made for, if there is any. */
async function compiledFor(manifest) {
  const { compilePacks } = await import('./compile.mjs')
  const isCompiled = await compilePacks(manifest)
  return isCompiled ? { compiledFor: createRequire(import.meta.url)('../../bin/launch.js').platform } : {}
}

async function run({ 'if-stale': ifStale, quick }) {
  const source = hashSources(root)
  if (ifStale && readManifest(dist)?.source === source) return
  const manifest = await buildPacks(source)
  writeManifest(dist, { ...manifest, ...(quick ? {} : await compiledFor(manifest)) })
  if (ifStale) return
  removeLeftovers(dist)
  const files = readdirSync(dist)
  const size = files.reduce((sum, name) => sum + statSync(path.join(dist, name)).size, 0)
  console.error(`built ${files.length} files in dist, ${Math.round(size / 1024)} KB`)
}

const { values } = parseArgs({
  options: {
    'if-stale': { type: 'boolean', default: false },
    // Without compiled code, which takes seconds.
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
