import type { Client } from '../../client/client.ts'
import type { KindName } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import { createRecord, removeRecord, updateRecord } from './requests.ts'

const writesOf = (kind: KindName) => ({
  create: (client: Client, document: Section) => createRecord(client, kind, document),
  update: (client: Client, key: string, body: Section) => updateRecord(client, kind, key, body),
  remove: (client: Client, key: string) => removeRecord(client, kind, key),
})

/** Each kind's writes. */
export const writes = {
  template: writesOf('template'),
  variation: writesOf('variation'),
  face: writesOf('face'),
  action: writesOf('action'),
}
