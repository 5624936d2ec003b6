import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readManifest, removeLeftovers, writeBuild } from './output.mjs'
import { hashSources } from './sources.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = path.join(root, 'dist')

/** Makes every bundle from the sources; the root's has no family's commands. */
async function makeBundles(families) {
  const { bundleFamily, bundleService } = await import('./bundle.mjs')
  const files = families.map(({ file }) => file)
  const makers = [
    ['root', bundleFamily(root, files)],
    ['server', bundleService(root)],
    ...families.map(({ name, file }) => [
      name,
      bundleFamily(
        root,
        files.filter((other) => other !== file),
      ),
    ]),
  ]
  return Object.fromEntries(await Promise.all(makers.map(async ([name, made]) => [name, (await made).text])))
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
  const bundles = await makeBundles(families)
  writeBuild(dist, bundles, { ...describe(families, valueOptions), source })
  return bundles
}

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean' } } })
const source = hashSources(root)
if (!values['if-stale']) {
  const sizes = Object.values(await buildAll(source)).map((text) => text.length)
  removeLeftovers(dist)
  console.error(`built ${sizes.length} bundles in dist, ${Math.round(sizes.reduce((a, b) => a + b) / 1024)} KB`)
} else if (readManifest(dist)?.source !== source) await buildAll(source)
