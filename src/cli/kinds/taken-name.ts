import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Hint } from '../failure/hinted.ts'
import { existingTemplates } from './existing-templates.ts'
import { nextVersion } from './final-records.ts'
import { isDraft, readRecord } from './requests.ts'
import { updateOf } from './verbs/update.ts'

/** Where a document was read. */
interface Given {
  readonly inputs: readonly string[]
  readonly cwd: string
}

/** What to do where a record has the name of a new document already: change a draft, or make the next version of what is published. */
export const takenNameHint =
  (client: Client, kind: Kind, document: LoadedDocument, { inputs, cwd }: Given): Hint =>
  async () => {
    const change = `change the draft: ${updateOf(kind, inputs)}`
    // The failure that this hint belongs to is reported; a failure to read the record is not.
    const record = await readRecord(client, kind, document.name).catch(() => undefined)
    if (record === undefined) return `${change}; if it is published, its next version needs a new name`
    if (isDraft(record)) return change
    const existing = { cwd, documents: [document], hasTemplate: existingTemplates(client, [document]) }
    return `it is published, which is final: ${await nextVersion(document, existing)}`
  }
