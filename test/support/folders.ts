import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Contents of files by their names. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** An empty folder with nothing beside it that lives as long as the test. */
export function newFolder(): string {
  const around = mkdtempSync(join(tmpdir(), 'vatom-test-'))
  onTestFinished(() => rmSync(around, { recursive: true, force: true }))
  // The test says who else may enter the folder.
  chmodSync(around, 0o711)
  const folder = join(around, 'at')
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

/** The path of a database that does not exist yet, in a folder of its own. */
export const newDatabase = (): string => join(newFolder(), 'service.db')

/** A folder with files that lives as long as the test. */
export function folderWith(files: Files): string {
  const folder = newFolder()
  writeFiles(folder, files)
  return folder
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** Takes the right to write to a file or a folder away, until the test is over; from root, only the file system can. */
export function makeReadOnly(path: string): boolean {
  if (process.getuid?.() !== 0) {
    chmodSync(path, 0o500)
    onTestFinished(() => chmodSync(path, 0o700))
    return true
  }
  const mark = (flag: string) => spawnSync('sh', ['-c', `chattr ${flag} "$0"`, path]).status === 0
  onTestFinished(() => void mark('-i'))
  return mark('+i')
}

/** Names of the assets in a folder of assets. */
export const assetFiles = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.database') : []

/** The YAML files of a folder, in the order in which they are put in place until there are as many as given. */
export function placed(folder: string, count: number): Promise<string[]> {
  const names: string[] = []
  return new Promise((resolve) => {
    const watcher = watch(folder, (_, name) => {
      if (name?.endsWith('.yaml')) names.push(name)
      if (names.length < count) return
      watcher.close()
      resolve(names)
    })
  })
}
