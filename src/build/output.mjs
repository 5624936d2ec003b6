import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const manifestName = 'manifest.json'
const noticesName = 'NOTICES.txt'
/** The folder of what runs in browsers; its manifest names its files and entry points. */
const webName = 'web'
/** The folder of what programs import. */
const libraryName = 'library'

/** Puts a whole file in place at once, so that no reader and no other build ever sees half of it. */
function writeWhole(file, text) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, file)
}

/** What the last build wrote about itself; undefined if there was none. */
export function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, manifestName), 'utf8'))
  } catch {
    return undefined
  }
}

/** Writes packs under names that hold a hash of their content, which it answers, and the notices of their packages. */
export function writePackFiles(folder, texts, notices) {
  mkdirSync(folder, { recursive: true })
  const names = texts.map((text) => `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.js`)
  for (const [number, name] of names.entries()) writeWhole(path.join(folder, name), texts[number])
  writeWhole(path.join(folder, noticesName), notices)
  return names
}

/** Writes what runs in browsers, under names that hold a hash already; the file that names the entry points is the last. */
export function writeWebFiles(folder, { files, entries }) {
  const web = path.join(folder, webName)
  mkdirSync(web, { recursive: true })
  for (const { name, text } of files) writeWhole(path.join(web, name), text)
  writeWhole(path.join(web, manifestName), JSON.stringify({ entries, files: files.map(({ name }) => name) }))
}

/** Writes what programs import; a file that an earlier build wrote with another text is replaced. */
export function writeLibraryFiles(folder, files) {
  const library = path.join(folder, libraryName)
  mkdirSync(library, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeWhole(path.join(library, name), text)
}

/**
 * Writes the manifest, which names the packs, as the last step of a build: a command that starts meanwhile finds the old
 * one with the old packs, or the new one with the new.
 */
export function writeManifest(folder, manifest) {
  writeWhole(path.join(folder, manifestName), JSON.stringify(manifest))
}

/** Removes what earlier builds left. Not for a build that runs beside others or beside commands. */
export function removeLeftovers(folder) {
  const packs = readManifest(folder)?.packs ?? []
  const compiled = packs.map((pack) => pack.replace(/js$/, 'v8'))
  removeOthers(folder, [manifestName, noticesName, webName, libraryName, ...packs, ...compiled])
  const web = path.join(folder, webName)
  removeOthers(web, [manifestName, ...(readManifest(web)?.files ?? [])])
}

function removeOthers(folder, names) {
  const current = new Set(names)
  for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(path.join(folder, name), { recursive: true })
}
