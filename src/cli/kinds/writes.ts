import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import { createRecord, removeRecord, updateRecord } from './requests.ts'

const writesOf = (kind: Kind) => ({
  create: (client: Client, document: Section) => createRecord(client, kind, document),
  update: (client: Client, key: string, body: Section) => updateRecord(client, kind, key, body),
  remove: (client: Client, key: string) => removeRecord(client, kind, key),
})

/** Each kind's writes. */
export const writes = {
  template: writesOf(kindOf('template')),
  variation: writesOf(kindOf('variation')),
  face: writesOf(kindOf('face')),
  action: writesOf(kindOf('action')),
}
