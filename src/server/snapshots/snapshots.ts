import { dirname } from 'node:path'
import type { LoadedData, Snapshot } from '../../contract/api/snapshot.ts'
import { at } from '../../contract/schema/path.ts'
import { didYouMean, nameList } from '../../contract/schema/suggest.ts'
import { fileMessage, isFileError, isWithin, realPathOf, roomRemedy } from '../../file-system.ts'
import { ownPath } from '../../own-path.ts'
import { timestamp } from '../domain/clock.ts'
import { ServiceFailure } from '../service-failure.ts'
import { explained } from '../store/database/open-database.ts'
import { copyTo, type ServiceState } from './copy.ts'
import { restoreFrom } from './restore.ts'
import { type Manifest, Shelf } from './snapshot-files.ts'

/** Copies of a service's state, by names that callers have checked to be names of files. */
export interface Snapshots {
  /** Copies the current state. Throws `snapshot_exists` if the name is taken and `replace` is false. */
  save(name: string, options: { readonly replace: boolean }): Promise<Snapshot>
  /**
   * Replaces the current state by a copy. Throws `snapshot_unknown`, `db_newer` or `db_busy`, and `dataChanged` if the state
   * is not of the expected version.
   */
  load(name: string, expected?: string): Promise<LoadedData>
  /** Throws `snapshot_unknown`. */
  get(name: string): Promise<Snapshot>
  /** All of them, by name. */
  list(): Promise<Snapshot[]>
  /** Throws `snapshot_unknown`. */
  remove(name: string): Promise<Snapshot>
}

/** The snapshots in a folder. All methods also throw `snapshot_unusable`, if the file system refuses something. */
export function snapshotsOf(service: ServiceState, db: string, folder: string): Snapshots {
  const onShelf = <T>(work: (shelf: Shelf) => Promise<T>) =>
    attempt(async () => work(new Shelf(ownPath(folder), service.log)), folder, db)
  return {
    save: (name, options) => onShelf((shelf) => save(shelf, name, options, service)),
    load: (name, expected) => onShelf((shelf) => load(shelf, name, service, expected)),
    get: (name) => onShelf(async (shelf) => snapshotOf(name, known(shelf, name))),
    list: () => onShelf(async (shelf) => shelf.names().map((name) => snapshotOf(name, known(shelf, name)))),
    remove: (name) =>
      onShelf(async (shelf) => {
        const manifest = known(shelf, name)
        shelf.remove(name)
        return snapshotOf(name, manifest)
      }),
  }
}

const snapshotOf = (name: string, { folder: _, ...facts }: Manifest): Snapshot => ({ name, ...facts })

async function save(
  shelf: Shelf,
  name: string,
  options: { readonly replace: boolean },
  service: ServiceState,
): Promise<Snapshot> {
  if (shelf.get(name) && !options.replace) throw taken(name)
  const folder = shelf.begin()
  try {
    const contents = await copyTo(shelf.place(folder), service)
    const manifest = { when_saved: timestamp(service.clock()), folder, ...contents }
    if (!shelf.put(name, manifest, options)) throw taken(name)
    return snapshotOf(name, manifest)
  } catch (error) {
    shelf.discard(folder)
    throw error
  }
}

async function load(
  shelf: Shelf,
  name: string,
  service: ServiceState,
  expected: string | undefined,
): Promise<LoadedData> {
  const manifest = known(shelf, name)
  const checkNamed = () => {
    if (shelf.get(name)?.folder !== manifest.folder) throw removed(name)
  }
  const source = { folder: shelf.place(manifest.folder), checkNamed }
  const working = shelf.begin()
  try {
    const { replaced, damaged } = await restoreFrom(source, shelf.place(working), service, expected)
    const damaged_assets = damaged.map(({ id, name }) => ({ id, name }))
    return { ...snapshotOf(name, manifest), replaced, ...(damaged.length > 0 && { damaged_assets }) }
  } finally {
    shelf.discard(working)
  }
}

const removed = (name: string) =>
  new ServiceFailure(
    'snapshot_unknown',
    `The snapshot ${name} was deleted or replaced while it was being loaded: nothing was changed`,
    'choose one that is there now: vatom snapshot list',
  )

const taken = (name: string) =>
  new ServiceFailure('snapshot_exists', `A snapshot named ${name} already exists`, 'choose another name')

function known(shelf: Shelf, name: string): Manifest {
  const found = shelf.get(name)
  if (found) return found
  const names = shelf.names()
  const others = names.length > 0 ? `choose one of: ${nameList(names)}` : 'save one first: vatom snapshot save NAME'
  throw new ServiceFailure('snapshot_unknown', `There is no snapshot named ${name}`, didYouMean(name, names) ?? others)
}

/** Carries out work on copies; failures of the file system and the database are thrown with a hint for the user. */
async function attempt<T>(work: () => Promise<T>, folder: string, db: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isFileError(error)) throw explained(error, db)
    throw new ServiceFailure(
      'snapshot_unusable',
      `${placeOf(error, folder)} cannot be read or written: ${fileMessage(error)}`,
      roomRemedy(error) ?? 'check its permissions and the free space on its disk',
    )
  }
}

/** The folder in which something failed: that of the snapshots, or another one that files of assets are in. */
function placeOf(error: unknown, snapshots: string): string {
  const path = at(error, 'path')
  return typeof path !== 'string' || isWithin(realPathOf(snapshots), path) ? snapshots : dirname(path)
}
