import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Hint } from '../failure/hinted.ts'
import { existingTemplates } from './existing-templates.ts'
import { nextVersion } from './final-records.ts'
import { isDraft, readRecord } from './requests.ts'
import { updateOf } from './verbs/update.ts'

/**
 * What to do where a record has the name of a new document already: change a draft, or make the next version of what is
 * published. It names the document, as others that were created with it can have hints of their own.
 */
export const takenNameHint =
  (client: Client, kind: Kind, document: LoadedDocument, cwd: string): Hint =>
  async () => {
    const change = `change the draft: ${updateOf(kind, document.file)}`
    // The failure that this hint belongs to is reported; a failure to read the record is not.
    const record = await readRecord(client, kind, document.name).catch(() => undefined)
    if (record === undefined) return `${change}; if it is published, its next version needs a new name`
    if (isDraft(record)) return change
    const existing = { cwd, documents: [document], hasTemplate: existingTemplates(client, [document]) }
    return `${document.name} is published, which is final: ${await nextVersion(document, existing)}`
  }
