import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Nouns whose verbs are those of every kind of document, in `cli/kinds/verbs`, with some of their own. */
const kinds = ['template', 'variation', 'face', 'action']

/** Every command with its verbs: `commands/show.ts` is `vatom show`, `commands/face/select.ts` is `vatom face select`. */
export function readCommands(root) {
  const folder = path.join(root, 'src/cli/commands')
  const shared = wordsIn(path.join(root, 'src/cli/kinds/verbs'))
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return Object.fromEntries(
    entries.map((entry) => [
      path.parse(entry.name).name,
      entry.isDirectory() ? verbsIn(path.join(folder, entry.name), kinds.includes(entry.name) ? shared : []) : [],
    ]),
  )
}

const verbsIn = (folder, shared) => [...new Set([...wordsIn(folder).filter((word) => word !== 'index'), ...shared])]

const wordsIn = (folder) => readdirSync(folder).map((name) => path.parse(name).name)
