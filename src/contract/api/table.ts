import type { Schema, ValueOf } from '../schema/lazy-schema.ts'
import { actionRows } from './action.ts'
import { activityRows } from './activity.ts'
import { appRows } from './app.ts'
import { assetRows } from './asset.ts'
import { catalogLabelRows } from './catalog-label.ts'
import { changeFeedRows } from './change-feeds.ts'
import { discoverRows } from './discover.ts'
import { complete, type Endpoint, type Rows } from './endpoint.ts'
import type { Confirmation } from './envelope.ts'
import { faceRows } from './face.ts'
import { geoRows } from './geo.ts'
import { sessionRows } from './session.ts'
import { templateRows } from './template.ts'
import { userRows } from './user.ts'
import { userTokenRows } from './user-token.ts'
import { variationRows } from './variation.ts'
import { vatomRows } from './vatom.ts'
import { vatomActionRows } from './vatom-action.ts'
import type { Files } from './wire.ts'

const rows = {
  ...sessionRows,
  ...userRows,
  ...userTokenRows,
  ...appRows,
  ...templateRows,
  ...variationRows,
  ...faceRows,
  ...actionRows,
  ...catalogLabelRows,
  ...changeFeedRows,
  ...assetRows,
  ...vatomRows,
  ...discoverRows,
  ...geoRows,
  ...vatomActionRows,
  ...activityRows,
} as const satisfies Rows

export type Operation = keyof typeof rows
/** An operation as it is declared. */
export type Row<K extends Operation> = (typeof rows)[K]

/** Every operation with its row, in the order of the table. */
export const operations = Object.entries(rows).map(([key, row]) => [key, complete(row)]) as [Operation, Endpoint][]

/** The API: one row an operation. Its key names the handler, the client's method and the operationId. */
export const api = Object.fromEntries(operations) as { readonly [K in Operation]: Complete<Omit<Row<K>, 'errors'>> }
type Complete<R> = R & Omit<Endpoint, keyof R>

type ParamNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

/** Path parameters of an operation, decoded. */
type Params<K extends Operation> = { readonly [N in ParamNames<Row<K>['path']>]: string }
type BodyPart<K extends Operation> =
  Row<K> extends { readonly body: infer B extends Schema } ? { readonly body: ValueOf<B> } : unknown
type QueryPart<K extends Operation> =
  Row<K> extends { readonly query: infer Q extends Schema } ? MaybeQuery<ValueOf<Q>> : unknown
/** A query may be left out where it needs nothing. */
type MaybeQuery<Q> = Partial<Q> extends Q ? { readonly query?: Q } : { readonly query: Q }

type FilesPart<K extends Operation> = Row<K> extends { readonly upload: object } ? { readonly files: Files } : unknown

type ConditionPart<K extends Operation> =
  Row<K> extends { readonly unlessThere: true } ? { readonly unlessThere?: boolean } : unknown

/** What a caller gives an operation: its path parameters, its body, its query, its files, its condition. */
export type Input<K extends Operation> = Params<K> & BodyPart<K> & QueryPart<K> & FilesPart<K> & ConditionPart<K>
/** What an operation answers on success, without the envelope. */
export type Payload<K extends Operation> =
  Row<K> extends { readonly payload: infer P extends Schema } ? ValueOf<P> : ValueOf<typeof Confirmation>
