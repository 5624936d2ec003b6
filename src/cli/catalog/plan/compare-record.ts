import { createHash } from 'node:crypto'
import type { Changes } from '../../../contract/kinds/changes.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { at, isObject } from '../../../contract/schema/path.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { valuesOf } from '../../kinds/record-state.ts'
import type { ServiceRecords } from './service-records.ts'

/** A face for the viewers of another one. */
export interface Duplicate {
  readonly key: string
  readonly display_url: unknown
}

/** The record of a document, compared with it. */
export interface ComparedRecord {
  /** What the operations call it by: its name, a face's id. */
  readonly key: string
  readonly stored: Section
  /** What it lacks of what the document says. */
  readonly changes: Changes
  /** Digest of the record as it is: another digest shows that it was changed. */
  readonly mark: string
  /** Other faces for the same viewers, who get the face that was registered first. */
  readonly duplicates: readonly Duplicate[]
  /** Its place among the faces of its template, in the order of their registration. */
  readonly place: number
}

/** Compares a document with its record; undefined where the service has none. */
export async function compareRecord(
  { kind, name, value }: Pick<LoadedDocument, 'kind' | 'name' | 'value'>,
  records: ServiceRecords,
  /** The `eth` section that a variation's own overwrites. */
  templateEth: unknown,
): Promise<ComparedRecord | undefined> {
  const own = kindOf(kind)
  const candidates = await records.candidates(kind, name, own.templateOf(value) ?? '')
  const [record, ...others] = candidates.filter((one) => own.describes(value, one))
  return (
    record && {
      key: keyOf(kind, record),
      stored: record,
      changes: await own.changes(value, record, templateEth),
      mark: markOf(kind, record),
      duplicates: others.map((other) => ({
        key: keyOf(kind, other),
        display_url: at(other, 'properties', 'display_url'),
      })),
      place: candidates.indexOf(record),
    }
  )
}

/** What the operations call a record by. */
export const keyOf = (kind: KindName, record: Section): string => String(record[kindOf(kind).key])

/** When a record was changed last; undefined if the service does not say it. */
export function modifiedOf(record: Section): string | undefined {
  const modified = at(record, 'meta', 'when_modified')
  return typeof modified === 'string' ? modified : undefined
}

/** Digest of what a publisher can change of a record. */
export const markOf = (kind: KindName, record: Section): string => digestOf(valuesOf(kind, record))

/** A digest of a JSON value, whatever the order of its keys. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, inOrder)).digest('base64url')

const inOrder = (_: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
