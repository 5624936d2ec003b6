import { createHash } from 'node:crypto'
import { completeAction } from '../../../contract/kinds/action-defaults.ts'
import { ActionDocument } from '../../../contract/kinds/action-schemas.ts'
import { isFaceOf } from '../../../contract/kinds/face-identity.ts'
import { templateOf } from '../../../contract/rules/catalog.ts'
import { isObject } from '../../../contract/schema/path.ts'
import type { Kind } from '../../../contract/values.ts'
import {
  actionChanges,
  type Changes,
  faceChanges,
  templateChanges,
  variationChanges,
} from '../../../documents/changes.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { templateDocument, variationDocument } from '../../kinds/record.ts'
import type { ServiceRecords } from './service-records.ts'

/** The record of a document, compared with it. */
export interface ComparedRecord {
  /** What the operations call it by: its name, a face's id. */
  readonly key: string
  /** What it lacks of what the document says. */
  readonly changes: Changes
  /** Digest of the record as it is: another one means that somebody changed it. */
  readonly mark: string
  /** Ids of further faces for the same viewers; viewers pick the one that was registered first. */
  readonly duplicates: readonly string[]
}

type Compare = (
  document: Pick<LoadedDocument, 'name' | 'value'>,
  records: ServiceRecords,
  /** The `eth` section that a variation's own overwrites. */
  templateEth: unknown,
) => Promise<ComparedRecord | undefined>

/** Compares a document with its record; undefined where the service has none. */
export const compareRecord: Readonly<Record<Kind, Compare>> = {
  template: async ({ name, value }, records) => {
    const record = await records.template(name)
    return record && compared(name, templateChanges(value, record), templateDocument(record))
  },
  variation: async ({ name, value }, records, templateEth) => {
    const record = await records.variation(name)
    return record && compared(name, variationChanges(value, record, templateEth), variationDocument(record))
  },
  action: async ({ name, value }, records) => {
    const document = ActionDocument().parse(value)
    const all = await records.actionsOf(templateOf('action', value) ?? '')
    const record = all.find((one) => one.name === name)
    return record && compared(name, actionChanges(completeAction(document), record.properties), record.properties)
  },
  face: async ({ value }, records) => {
    const same = (await records.facesOf(String(value.template))).filter((one) => isFaceOf(value, one))
    const [record, ...others] = same
    if (record === undefined) return undefined
    const changes = faceChanges(value, record)
    return { ...compared(record.id, changes, record.properties), duplicates: others.map(({ id }) => id) }
  },
}

const compared = (key: string, changes: Changes, content: unknown): ComparedRecord => ({
  key,
  changes,
  mark: digestOf(content),
  duplicates: [],
})

/** A digest of a JSON value, whatever the order of its keys. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, inOrder)).digest('base64url')

const inOrder = (_: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
