import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { defaults } from '../../contract/defaults.ts'
import { portOf } from '../../contract/schema/parsed-url.ts'
import { at } from '../../contract/schema/path.ts'
import { messageOf, parseJson } from '../../contract/unknown-values.ts'
import { makeFolder, namesIn } from '../../file-system.ts'
import { isHere, ownMark, stillRuns } from '../../processes.ts'
import { regularText } from '../../regular-file.ts'
import { writeOwn } from '../../whole-file.ts'
import type { Dirs } from '../dirs.ts'
import { markIn } from './process-file.ts'
import { flagsOf, localName, type NetworkTarget, type Target } from './target.ts'
import { addressName, targetName } from './target-name.ts'

/** A service that listens. */
export type Served = Pick<NetworkTarget, 'baseUrl' | 'appId'>

/** Where it is recorded which services serve the data of the `local` context. */
export const servingFolder = (dirs: Dirs): string => join(dirs.data, 'serving')

/**
 * Records, while a `vatom serve` runs, where the data of the `local` context is served; answers what removes the record.
 * Throws where it cannot be written.
 */
export function recordServing({ baseUrl, appId }: Served, dirs: Dirs): () => void {
  const file = join(servingFolder(dirs), `${portOf(new URL(baseUrl))}.json`)
  try {
    makeFolder(servingFolder(dirs), 0o700)
    writeOwn(file, JSON.stringify({ baseUrl, appId, ...ownMark() }), { mode: 0o600 })
  } catch (cause) {
    throw new Error(`${file} cannot be written: ${messageOf(cause)}`, { cause })
  }
  return () => rmSync(file, { force: true })
}

/** A `vatom serve` of this machine that serves the data of the `local` context; undefined if none runs. */
export function servingLocal(dirs: Dirs): Served | undefined {
  const served = servings(dirs)
  return served.find(({ baseUrl }) => baseUrl === localService.baseUrl) ?? served[0]
}

/** Each of them. */
export const servings = (dirs: Dirs): Served[] =>
  filesOf(servingFolder(dirs)).flatMap((file) => readServing(file) ?? [])

/** The names of a service: its own, and those at which this machine serves the data of the `local` context if it is one of them. */
export function namesOf(target: Target, dirs: Dirs): string[] {
  const name = targetName(target)
  const ofLocal = [localName, ...servings(dirs).map(addressName)]
  return ofLocal.includes(name) ? ofLocal : [name]
}

/** Where `vatom serve` listens, and its application id, if nothing else is asked for. */
export const localService: Served = { baseUrl: `http://${defaults.host}:${defaults.port}`, appId: 'local' }

/** A command for the data of the `local` context over the network, as people run it: after vatom serve, if none runs. */
export function onLocalService(command: string, dirs: Dirs): string {
  const running = servingLocal(dirs)
  return running
    ? `${command} ${flagsOf(running)}`
    : `vatom serve, and in another terminal: ${command} ${flagsOf(localService)}`
}

const filesOf = (folder: string): string[] => namesIn(folder).map((name) => join(folder, name))

/** A record, if its process still runs here: one that was killed leaves it behind. */
function readServing(file: string): Served | undefined {
  const text = textOf(file)
  const serving = parseJson(text)
  const mark = markIn(text)
  const [baseUrl, appId] = [at(serving, 'baseUrl'), at(serving, 'appId')]
  if (typeof baseUrl !== 'string' || typeof appId !== 'string' || mark === undefined) return undefined
  return isHere(mark) && stillRuns(mark) ? { baseUrl, appId } : undefined
}

function textOf(file: string): string {
  try {
    return regularText(file) ?? ''
  } catch {
    return ''
  }
}
