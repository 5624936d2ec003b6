import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The folder of the package that a file is from; undefined for one of ours. */
const packageOf = (file) => file.match(/^(.*node_modules\/(@[^/]+\/)?[^/]+)\//)?.[1]

/** Name, version, licence and licence text of a package. */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : ''
  return [`${'-'.repeat(72)}\n${name} ${version} (${license})`, text].filter(Boolean).join('\n\n')
}

/** The notices of the packages that bundled files are from, in the order of their names: licences want them passed on. */
export function noticesOf(root, files) {
  const folders = new Set(files.map(packageOf).filter(Boolean))
  const notices = [...folders].sort().map((folder) => notice(path.join(root, folder)))
  return `vatom holds code of these packages.\n\n${notices.join('\n\n')}\n`
}
