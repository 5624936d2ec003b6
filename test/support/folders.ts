import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Contents of files by their names. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** An empty folder that lives as long as the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vatom-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
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

/** Names of the assets in a folder of assets. */
export const assetFiles = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.database') : []
