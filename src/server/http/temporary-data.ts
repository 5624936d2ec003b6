import { ApiError, type ErrorName } from '../../contract/api/errors.ts'
import { parseJsonBody } from '../../contract/api/json-body.ts'
import {
  type Contents,
  ExpectedVersion,
  type HeldData,
  type LoadedData,
  LoadedSnapshot,
  type Snapshot,
} from '../../contract/api/snapshot.ts'
import { at } from '../../contract/schema/path.ts'
import type { ServiceFailureCode } from '../../contract/service-failures.ts'
import { snapshotName, snapshotNameRule } from '../../contract/values.ts'
import type { Environment } from '../environment.ts'
import { ServiceFailure } from '../service-failure.ts'
import { reset } from '../snapshots/reset.ts'
import { type Snapshots, snapshotsOf } from '../snapshots/snapshots.ts'
import { returnToStart } from '../test-controls.ts'
import type { LocalRequest } from '../testing/local-request.ts'
import { validated } from '../valid-input.ts'

/** A request for all data of a service. */
export interface DataRequest extends Omit<LocalRequest, 'service'> {
  readonly service: Environment
}

/** How much a temporary service holds, and the version of that. */
export function getContents(request: DataRequest): HeldData {
  folderOf(request)
  return request.service.store.held()
}

/** Deletes all data of a temporary service but its publishers. */
export async function resetData(request: DataRequest): Promise<object> {
  folderOf(request)
  const deleted = await reset(request.service, expectedVersion(request))
  request.removed(deleted)
  return { success_message: 'The service is empty.', removed: deleted }
}

/** Returns a temporary service to its state at the start, and ends what a test set. */
export async function resetService(request: DataRequest): Promise<Contents> {
  folderOf(request)
  const replaced = request.service.store.contents()
  await returnToStart(request.service)
  request.removed(replaced)
  return request.service.store.contents()
}

/** Replaces all data of a temporary service by the snapshot that the body names. */
export const loadData = (request: DataRequest): Promise<LoadedData> =>
  answer(request, async (snapshots) => {
    const name = checkedName(validated(LoadedSnapshot(), parseJsonBody(request.body)).snapshot)
    const loaded = await snapshots.load(name, expectedVersion(request))
    request.removed(loaded.replaced)
    return loaded
  })

export const listSnapshots = (request: DataRequest): Promise<Snapshot[]> =>
  answer(request, (snapshots) => snapshots.list())

export const getSnapshot = (request: DataRequest): Promise<Snapshot> =>
  answer(request, (snapshots) => snapshots.get(checkedName(request.id)))

export const saveSnapshot = (request: DataRequest): Promise<Snapshot> =>
  answer(request, (snapshots) =>
    snapshots.save(checkedName(request.id), { replace: at(request.query, 'replace') === 'true' }),
  )

export const removeSnapshot = (request: DataRequest): Promise<Snapshot> =>
  answer(request, (snapshots) => snapshots.remove(checkedName(request.id)))

/** The folder of a temporary service's snapshots. The data of any other service is not replaced through its address. */
function folderOf({ service: { temporary } }: DataRequest): string {
  if (temporary !== undefined) return temporary
  throw new ApiError('notTemporary')
}

/** The version of the data that a request means; undefined for any. */
const expectedVersion = ({ query }: DataRequest): string | undefined => validated(ExpectedVersion(), query).version

function checkedName(name: string): string {
  if (snapshotName.test(name)) return name
  throw new ApiError('invalid', snapshotNameRule)
}

const kinds: Partial<Record<ServiceFailureCode, ErrorName>> = {
  snapshot_unknown: 'notFound',
  snapshot_exists: 'nameTaken',
}

async function answer<T>(request: DataRequest, work: (snapshots: Snapshots) => Promise<T>): Promise<T> {
  try {
    return await work(snapshotsOf(request.service, ':memory:', folderOf(request)))
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error
    throw new ApiError(kinds[error.code] ?? 'storage', error.message)
  }
}
