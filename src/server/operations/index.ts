import { actionRows } from '../../contract/api/action.ts'
import { activityRows } from '../../contract/api/activity.ts'
import { appRows } from '../../contract/api/app.ts'
import { assetRows } from '../../contract/api/asset.ts'
import { catalogLabelRows } from '../../contract/api/catalog-label.ts'
import { changeFeedRows } from '../../contract/api/change-feeds.ts'
import { discoverRows } from '../../contract/api/discover.ts'
import type { Rows } from '../../contract/api/endpoint.ts'
import { faceRows } from '../../contract/api/face.ts'
import { geoRows } from '../../contract/api/geo.ts'
import { sessionRows } from '../../contract/api/session.ts'
import type { Operation } from '../../contract/api/table.ts'
import { templateRows } from '../../contract/api/template.ts'
import { userRows } from '../../contract/api/user.ts'
import { userTokenRows } from '../../contract/api/user-token.ts'
import { variationRows } from '../../contract/api/variation.ts'
import { vatomRows } from '../../contract/api/vatom.ts'
import { vatomActionRows } from '../../contract/api/vatom-action.ts'
import type { Handlers, Scope } from './handler.ts'

/** Loads the file that an operation is in. */
type Loaders<K extends Operation> = { readonly [N in K]: () => Promise<Pick<Handlers, N>> }

/** The operations of a resource, which are in one file. */
const inFile = <R extends Rows>(
  rows: R,
  load: () => Promise<Pick<Handlers, keyof R & Operation>>,
): Loaders<keyof R & Operation> =>
  Object.fromEntries<unknown>(Object.keys(rows).map((name) => [name, load])) as Loaders<keyof R & Operation>

/** The operations of all resources, a file each, which is loaded when one of its operations is first called. */
const loaders: Loaders<Operation> = {
  ...inFile(sessionRows, () => import('./session.ts')),
  ...inFile(userRows, () => import('./user.ts')),
  ...inFile(userTokenRows, () => import('./user-token.ts')),
  ...inFile(appRows, () => import('./app.ts')),
  ...inFile(templateRows, () => import('./template.ts')),
  ...inFile(variationRows, () => import('./variation.ts')),
  ...inFile(faceRows, () => import('./face.ts')),
  ...inFile(actionRows, () => import('./action.ts')),
  ...inFile(catalogLabelRows, () => import('./catalog-label.ts')),
  ...inFile(changeFeedRows, () => import('./change-feeds.ts')),
  ...inFile(assetRows, () => import('./asset.ts')),
  ...inFile(vatomRows, () => import('./vatom.ts')),
  ...inFile(discoverRows, () => import('./discover.ts')),
  ...inFile(geoRows, () => import('./geo.ts')),
  ...inFile(vatomActionRows, () => import('./vatom-action.ts')),
  ...inFile(activityRows, () => import('./activity.ts')),
}

/** The handler of an operation whose name is not known: its row says what scope and input it gets. */
export type AnyHandler = (scope: Scope, input: object) => unknown

const known: Partial<Record<Operation, AnyHandler>> = {}

/** What carries out an operation. */
export const handlerOf = (operation: Operation): AnyHandler | Promise<AnyHandler> => known[operation] ?? load(operation)

async function load(operation: Operation): Promise<AnyHandler> {
  const file: Partial<Handlers> = await loaders[operation]()
  const handler = file[operation] as AnyHandler
  known[operation] = handler
  return handler
}
