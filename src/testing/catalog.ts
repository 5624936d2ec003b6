import type { Client } from '../client/client.ts'
import { createRecord } from '../client/create-record.ts'
import { kindOf } from '../contract/kinds/kinds.ts'
import { loadInOrder } from '../documents/load/load.ts'
import type { Problem } from '../documents/load/loaded.ts'
import { isError } from '../documents/load/problems.ts'
import { plain, render } from '../documents/report/render.ts'

/** The documents of a catalog are not valid: the message shows each problem in its file. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError'

  constructor(
    message: string,
    readonly problems: readonly Problem[],
  ) {
    super(message)
  }
}

/** Creates what files, folders and patterns hold, as its publisher. Throws CatalogError, and what the service refuses. */
export async function createCatalog(client: Client, paths: readonly string[], publisher: string): Promise<void> {
  const { documents, problems, sources } = await loadInOrder(paths, {
    cwd: process.cwd(),
    publisher,
    readStdin: async () => new Uint8Array(),
  })
  const errors = problems.filter(isError)
  if (errors.length > 0) throw new CatalogError(render('text', errors, { paint: plain, width: 100, sources }), errors)
  for (const { kind, value } of documents) await createRecord(client, kindOf(kind), value)
}
