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
import type { State } from './service-records.ts'

/** A document's record on the service, held against it. */
export interface Standing {
  readonly changes: Changes
  /** What the record goes by: its name, a face's id. */
  readonly key: string
  /** Tells this state of the record from any other. */
  readonly mark: string
  /** Ids of faces for the same viewers, which prefer the one that was registered first. */
  readonly alike: readonly string[]
}

type Stand = (
  document: Pick<LoadedDocument, 'name' | 'value'>,
  state: State,
  /** The `eth` section that a variation's own is to stand over. */
  templateEth: unknown,
) => Promise<Standing | undefined>

/** How a document of each kind stands; undefined where the service has no record of it. */
export const standings: Readonly<Record<Kind, Stand>> = {
  template: async ({ name, value }, state) => {
    const record = await state.template(name)
    return record && standing(name, templateChanges(value, record), templateDocument(record))
  },
  variation: async ({ name, value }, state, templateEth) => {
    const record = await state.variation(name)
    return record && standing(name, variationChanges(value, record, templateEth), variationDocument(record))
  },
  action: async ({ name, value }, state) => {
    const document = ActionDocument().parse(value)
    const records = await state.actionsOf(templateOf('action', value) ?? '')
    const record = records.find((one) => one.name === name)
    return record && standing(name, actionChanges(completeAction(document), record.properties), record.properties)
  },
  face: async ({ value }, state) => {
    const alike = (await state.facesOf(String(value.template))).filter((one) => isFaceOf(value, one))
    const [record, ...others] = alike
    if (record === undefined) return undefined
    const changes = faceChanges(value, record)
    return { ...standing(record.id, changes, record.properties), alike: others.map(({ id }) => id) }
  },
}

const standing = (key: string, changes: Changes, content: unknown): Standing => ({
  changes,
  key,
  mark: markOf(content),
  alike: [],
})

/** A digest of a JSON value, whatever the order of its keys. */
export const markOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, inOrder)).digest('base64url')

const inOrder = (_: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
