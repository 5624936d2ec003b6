import { readdirSync } from 'node:fs'
import path from 'node:path'

/** The first words of the command line: `commands/show.ts` is `vatom show`, `commands/face/` is `vatom face`. */
export const readWords = (root) =>
  readdirSync(path.join(root, 'src/cli/commands'))
    .map((name) => path.parse(name).name)
    .sort()
