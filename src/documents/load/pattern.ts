import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { folderFrom } from '../../file-system.ts'
import { createWalked, type Walked } from './linked-folders.ts'

interface Expanded extends Walked {
  /** Files, as the pattern names them. */
  readonly matches: string[]
}

/** The files that a pattern matches, links to files included. Of links to folders it says which ones the pattern led into. */
export function expandPattern(pattern: string, cwd: string): Expanded {
  const walked = createWalked()
  const linked = new Set<string>()
  const read = (folder: string): Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>[] => {
    if (linked.has(folder)) {
      walked.links.set(folder, folderFrom(cwd, folder))
      return []
    }
    walked.folders.push(folder)
    return readdirSync(folder, { withFileTypes: true }).map((entry) => {
      if (!entry.isSymbolicLink()) return entry
      const path = join(folder, entry.name)
      const isFolder = leadsToFolder(path)
      if (isFolder) linked.add(path)
      return { name: entry.name, isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false }
    })
  }
  const matches = globSync(process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern, {
    cwd,
    ignore: ['**/node_modules/**'],
    expandDirectories: false,
    fs: { readdirSync: new Proxy(readdirSync, { apply: (_function, _this, [folder]) => read(resolve(folder)) }) },
  })
  return { ...walked, matches }
}

function leadsToFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
