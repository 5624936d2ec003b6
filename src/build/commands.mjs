import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Every command with its verbs: `commands/show.ts` is `vatom show`, `commands/face/list.ts` is `vatom face list`. */
export function readCommands(root) {
  const folder = path.join(root, 'src/cli/commands')
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return Object.fromEntries(
    entries.map((entry) => [
      path.parse(entry.name).name,
      entry.isDirectory() ? wordsIn(path.join(folder, entry.name)).filter((word) => word !== 'index') : [],
    ]),
  )
}

const wordsIn = (folder) => readdirSync(folder).map((name) => path.parse(name).name)
