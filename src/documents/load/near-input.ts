import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { nameList, suggest } from '../../contract/schema/suggest.ts'
import { isDataName, isIgnored } from './inputs.ts'

/** The hint for a path that does not exist: the document or folder that is meant, or those beside what is missing of it. */
export function nearInput(input: string, cwd: string): string | undefined {
  const folder = dirname(input)
  if (folder !== input && !existsSync(resolve(cwd, folder))) return nearInput(folder, cwd)
  const word = basename(input)
  const names = namesIn(resolve(cwd, folder))
  const near = names.find((name) => parse(name).name === word) ?? suggest(word, names)
  if (near !== undefined) return `did you mean ${join(folder, near)}?`
  return names.length === 0 ? undefined : `${folder === '.' ? 'this folder' : folder} has: ${nameList(names)}`
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    const isShown = (entry: Dirent) => !isIgnored(entry.name) && (entry.isDirectory() || isDataName(entry.name))
    return entries.filter(isShown).map(({ name }) => name)
  } catch {
    return []
  }
}
