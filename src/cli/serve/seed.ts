import type { Client } from '../../client/client.ts'
import { createRecord } from '../../client/create-record.ts'
import { ServiceError } from '../../client/errors.ts'
import { kindOf } from '../../contract/kinds/kinds.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import { plural } from '../../contract/schema/wording.ts'
import { kinds } from '../../contract/values.ts'
import type { Loaded, LoadedDocument } from '../../documents/load/loaded.ts'
import type { Service } from '../../server/service.ts'
import { catalogsOf, labelOf } from '../catalog/catalog-names.ts'
import { keysOfCreated, labelRecords } from '../catalog/label-records.ts'
import { loadValid } from '../catalog/load-valid.ts'
import { storesLabels } from '../catalog/owners.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { toFailure } from '../failure/translate.ts'
import type { Host } from '../host.ts'
import type { Output } from '../io/output.ts'
import { styled } from '../io/text.ts'
import { problemLines } from '../kinds/problems.ts'
import { clientOf } from '../service/connect.ts'
import { unmeantPublisher } from '../service/publisher.ts'

/** The documents that a service starts with, if all are valid; otherwise reports their problems and throws Reported. */
export function loadSeed(paths: readonly string[], publisher: string, context: Context): Promise<Loaded> {
  const source = 'that of the service which --seed is for; for another, name it first: vatom serve --publisher NAME'
  const otherPublisher = unmeantPublisher(publisher, source)
  const how = { publisher, localPorts: [], otherPublisher, format: 'text', consequence: 'nothing is served' } as const
  return loadValid(paths, how, context)
}

/**
 * Creates documents as their publisher, with the labels of their catalogs, and reports those that exist already. Stops at
 * the first refusal.
 */
export async function createSeed(
  loaded: Loaded,
  paths: readonly string[],
  service: Service,
  { host, output }: Context,
): Promise<void> {
  output.complain(await problemLines(loaded, output))
  const connection = clientOf(service)
  const existing: LoadedDocument[] = []
  for (const document of loaded.documents) {
    host.signal.throwIfAborted()
    const isNew = await create(document, connection.client).catch(async (error: unknown) => {
      throw refused(document, await toFailure(error, host))
    })
    if (!isNew) existing.push(document)
  }
  const created = loaded.documents.filter((document) => !existing.includes(document))
  await label(created, paths, connection, host)
  report(created, existing, output)
}

/** Labels what was created with the catalogs that have a name, as `apply` does, where the service stores labels. */
async function label(
  created: readonly LoadedDocument[],
  paths: readonly string[],
  connection: ReturnType<typeof clientOf>,
  { cwd }: Pick<Host, 'cwd'>,
): Promise<void> {
  const files = created.map(({ file }) => file)
  const { catalogs } = await catalogsOf(paths, files, cwd)
  const catalogOf = ({ file }: LoadedDocument) => catalogs[file] ?? ''
  const named = created.filter((one) => labelOf(catalogOf(one)))
  if (named.length === 0 || !(await storesLabels(connection))) return
  const keyOf = await keysOfCreated(named, connection.client)
  const owned = named.map((document) => ({ document, key: keyOf(document), catalog: catalogOf(document) }))
  await labelRecords(owned, connection.client)
}

function refused({ file, kind, name }: LoadedDocument, failure: Failure): Failure {
  const { code, exitCode, message, hint, issues, listed } = failure
  if (exitCode === exit.interrupted) return failure
  return new Failure(code, exitCode, `${file}: the ${kind} ${name} was refused: ${message}`, { hint, issues, listed })
}

/** Creates a record; false if there is one with its name, or a face for the same viewers. */
async function create({ kind, value }: LoadedDocument, client: Client): Promise<boolean> {
  try {
    await createRecord(client, kindOf(kind), value)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'nameTaken') return false
    throw error
  }
}

function report(created: readonly LoadedDocument[], existing: readonly LoadedDocument[], output: Output): void {
  const published = created.filter(({ kind, value }) => kindOf(kind).hasDrafts && value.unpublished === false)
  const final = published.length > 0 ? `; published, which is final: ${counts(published)}` : ''
  output.note(styled`seeded ${counts(created)}${final}`)
  if (existing.length > 0)
    output.note(
      styled`left unchanged, because they exist: ${nameList(existing.map(({ kind, name }) => `${kind} ${name}`))}`,
    )
}

/** `2 templates, 1 face` */
function counts(documents: readonly LoadedDocument[]): string {
  const parts = kinds.map((kind) => [kind, documents.filter((one) => one.kind === kind).length] as const)
  const some = parts.filter(([, count]) => count > 0)
  return some.map(([kind, count]) => plural(count, kind)).join(', ') || 'nothing'
}
