import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readManifest, removeLeftovers, writeBuild } from './output.mjs'
import { hashSources } from './sources.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = path.join(root, 'dist')

/** Resolves with an object of the same keys. */
const allOf = async (entries) =>
  Object.fromEntries(await Promise.all(entries.map(async ([name, made]) => [name, await made])))

/** Makes every bundle from the sources; the root's has no family's commands, and completion's has all of them. */
async function makeBundles(families, notices) {
  const { bundleFamily, bundleService, bundleVendor } = await import('./bundle.mjs')
  const { Vendors } = await import('./vendor.mjs')
  const vendors = new Vendors()
  const files = families.map(({ file }) => file)
  const without = ({ name, file }) => (name === 'completion' ? [] : files.filter((other) => other !== file))
  const own = await allOf([
    ['root', bundleFamily(root, files, vendors, notices)],
    ['server', bundleService(root, vendors, notices)],
    ...families.map((family) => [family.name, bundleFamily(root, without(family), vendors, notices)]),
  ])
  return {
    ...own,
    ...(await allOf(vendors.sources().map(([name, text]) => [name, bundleVendor(root, text, notices)]))),
  }
}

/** What launch.js needs to choose a bundle. */
function describe(families, valueOptions) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const leads = families.map(({ name, words, verbs }) => [name, { words, verbs }])
  return { version, valueOptions, families: Object.fromEntries(leads) }
}

async function buildAll(source) {
  const { readFamilies } = await import('./families.mjs')
  const { families, valueOptions } = await readFamilies(root)
  const { Notices } = await import('./notices.mjs')
  const notices = new Notices(root)
  const bundles = await makeBundles(families, notices)
  writeBuild(dist, bundles, { ...describe(families, valueOptions), source }, notices.text())
  return bundles
}

async function run(ifStale) {
  const source = hashSources(root)
  if (ifStale && readManifest(dist)?.source === source) return
  const bundles = Object.values(await buildAll(source))
  if (ifStale) return
  removeLeftovers(dist)
  const size = bundles.reduce((sum, text) => sum + text.length, 0)
  console.error(`built ${bundles.length} bundles in dist, ${Math.round(size / 1024)} KB`)
}

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
try {
  await run(values['if-stale'])
} catch (error) {
  // esbuild has printed what is wrong with the sources.
  if (!error.errors) throw error
  process.exitCode = 1
}
