import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, extname, join, parse, resolve } from 'node:path'
import { nameList, suggest } from '../../contract/schema/suggest.ts'
import { isDataName, isIgnored } from './inputs.ts'

/**
 * The hint for a path that does not exist: the document or folder that is meant, or those beside what is missing of it.
 * Files with the ending that was typed are among them, such as saved plans.
 */
export function nearInput(input: string, cwd: string): string | undefined {
  const folder = dirname(input)
  if (folder !== input && !existsSync(resolve(cwd, folder))) return nearInput(folder, cwd)
  const word = basename(input)
  const names = namesIn(resolve(cwd, folder), extname(input))
  const near = names.find((name) => parse(name).name === word) ?? suggest(word, names)
  if (near !== undefined) return `did you mean ${join(folder, near)}?`
  return names.length === 0 ? undefined : `${folder === '.' ? 'this folder' : folder} has: ${nameList(names)}`
}

function namesIn(folder: string, ending: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    const isMeant = (name: string) => isDataName(name) || (ending !== '' && extname(name) === ending)
    const isShown = (entry: Dirent) => !isIgnored(entry.name) && (entry.isDirectory() || isMeant(entry.name))
    return entries.filter(isShown).map(({ name }) => name)
  } catch {
    return []
  }
}
