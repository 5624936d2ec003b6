import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LoadedCatalog } from '../../documents/load/load-catalog.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { knownPublisher } from '../service/publisher.ts'
import { invalidFailure, refuseInvalid, sourceOf } from './load-checked.ts'

/** Every document of files, none of which has an error; else says what is wrong, and throws Reported. */
export async function loadAll(inputs: readonly string[], context: Context): Promise<LoadedCatalog> {
  const { loadCatalog } = await import('../../documents/load/load-catalog.ts')
  const loaded = await loadCatalog(inputs, { ...sourceOf(context), publisher: await knownPublisher(context) })
  const failure = await invalidFailure(loaded)
  if (failure === undefined) return loaded
  return refuseInvalid({}, { loaded, format: 'text', failure }, context.output)
}

/** Whether arguments are files, or names of records on the service; they cannot be both. */
export function areFiles(given: readonly string[], { host }: Context): boolean {
  const files = given.filter((one) => isFile(one, host.cwd))
  if (files.length === 0 || files.length === given.length) return files.length > 0
  const names = given.filter((one) => !files.includes(one))
  throw usage(`${files[0]} is a file, and ${names[0]} is the name of a record`, 'name files or records, not both')
}

const isFile = (given: string, cwd: string) =>
  given === '-' ||
  /\.(ya?ml|json)$/i.test(given) ||
  existsSync(resolve(cwd, given)) ||
  (/[*?[{/]/.test(given) && !given.includes('::'))
