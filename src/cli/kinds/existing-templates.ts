import type { Client } from '../../client/client.ts'
import { template } from '../../contract/kinds/template.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Existing } from './final-records.ts'
import { ifFound, readRecord } from './requests.ts'

/** Says whether documents or the service have a template; each is asked for once. */
export function existingTemplates(client: Client, documents: readonly LoadedDocument[]): Existing['hasTemplate'] {
  const known = new Map<string, Promise<boolean>>()
  const ask = async (name: string) =>
    documents.some((one) => one.kind === template.name && one.name === name) ||
    (await ifFound(readRecord(client, template, name))) !== undefined
  return (name) => {
    const answer = known.get(name) ?? ask(name)
    known.set(name, answer)
    return answer
  }
}
