import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/errors.ts'
import { childrenOf } from '../../../contract/rules/catalog.ts'
import { at } from '../../../contract/schema/path.ts'
import { vatomTypeKey } from '../../../contract/values.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import type { Connection } from '../../service/connect.ts'

type Documents = readonly LoadedDocument[]

/**
 * Sorts variations so that the service can publish them: each after the variations in its child_policy, or in that of its
 * template. Otherwise their order stays. Spec 2.4.
 */
export async function childrenFirst(documents: Documents, { client }: Pick<Connection, 'client'>): Promise<Documents> {
  if (documents.length < 2 || documents.every(({ value }) => value.unpublished !== false)) return documents
  const children = await childrenOfAll(documents, client)
  const byName = new Map(documents.map((document) => [document.name, document]))
  const ordered = new Set<LoadedDocument>()
  const begun = new Set<LoadedDocument>()
  const add = (document: LoadedDocument) => {
    if (begun.has(document)) return
    begun.add(document)
    for (const name of children.get(document) ?? []) {
      const child = byName.get(name)
      if (child) add(child)
    }
    ordered.add(document)
  }
  documents.forEach(add)
  return [...ordered]
}

async function childrenOfAll(documents: Documents, client: Client): Promise<Map<LoadedDocument, readonly string[]>> {
  const templates = new Map<string, readonly string[]>()
  const found = new Map<LoadedDocument, readonly string[]>()
  for (const document of documents) {
    const template = String(document.value.template)
    const own = at(document.value, 'vatom', vatomTypeKey, 'child_policy') !== undefined
    if (!own && !templates.has(template)) templates.set(template, await childrenOfTemplate(template, client))
    found.set(document, own ? namesIn(document.value) : (templates.get(template) ?? []))
  }
  return found
}

/** Empty for a template that cannot be read: the service then refuses its variations with the reason. */
async function childrenOfTemplate(name: string, client: Client): Promise<readonly string[]> {
  try {
    return namesIn({ vatom: (await client.getTemplate({ name })).properties.template })
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

const namesIn = (document: unknown): string[] => childrenOf(document).map(({ name }) => name)
