import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readManifest, removeLeftovers, writeBuild } from './output.mjs'
import { hashSources } from './sources.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = path.join(root, 'dist')

const entryPoint = 'src/cli/entry.ts'

async function buildAll(source) {
  const [{ bundle }, { sortIntoPacks }, { writePacks }, { readCommands }, { Notices }] = await Promise.all([
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
  writeBuild(dist, packs, { version, entry, commands: readCommands(root), source }, notices.text())
  return packs
}

async function run(ifStale) {
  const source = hashSources(root)
  if (ifStale && readManifest(dist)?.source === source) return
  const packs = Object.values(await buildAll(source))
  if (ifStale) return
  removeLeftovers(dist)
  const size = packs.reduce((sum, text) => sum + text.length, 0)
  console.error(`built ${packs.length} packs in dist, ${Math.round(size / 1024)} KB`)
}

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
try {
  await run(values['if-stale'])
} catch (error) {
  // esbuild has printed what is wrong with the sources.
  if (!error.errors) throw error
  process.exitCode = 1
}
