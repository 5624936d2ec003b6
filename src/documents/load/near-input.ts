import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { suggest } from '../../contract/schema/suggest.ts'
import { isDataName } from './inputs.ts'

/** The hint for a path that does not exist: the document or folder that is meant, beside what is missing of it. */
export function nearInput(input: string, cwd: string): string | undefined {
  const folder = dirname(input)
  if (folder !== input && !existsSync(resolve(cwd, folder))) return nearInput(folder, cwd)
  const word = basename(input)
  const names = namesIn(resolve(cwd, folder))
  const near = names.find((name) => parse(name).name === word) ?? suggest(word, names)
  return near && `did you mean ${join(folder, near)}?`
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory() || isDataName(entry.name)).map(({ name }) => name)
  } catch {
    return []
  }
}
