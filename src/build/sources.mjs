import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Everything a build is made from, under the package's root. */
const inputs = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'bin', 'src', '.github']

/** The files at or under a path, in an order that is the same everywhere. */
function filesAt(root, name) {
  const folder = path.join(root, name)
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    return entries.flatMap((entry) => {
      const child = `${name}/${entry.name}`
      return entry.isDirectory() ? filesAt(root, child) : [child]
    })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [name]
    if (error.code === 'ENOENT') return []
    throw error
  }
}

/** A hash of the sources and of what is installed: two builds of equal hashes are equal. */
export function hashSources(root) {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap((name) => filesAt(root, name))) {
    const content = readFileSync(path.join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
