import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/errors.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { kindSchemas } from '../../../contract/kinds/schemas.ts'
import { limits } from '../../../contract/limits.ts'
import { at } from '../../../contract/schema/path.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { allRecords, ifFound, isDraft, listRecords, readRecord } from '../../kinds/requests.ts'
import { isLastPage } from '../../service/every-page.ts'
import { atOnce, inParallel } from '../../service/in-parallel.ts'

/** The records of a service, each read at most once. */
export interface ServiceRecords {
  /** The record of a name; only of a kind whose records are listed without a template. */
  readonly named: (kind: KindName, name: string) => Promise<Section | undefined>
  /** The records of a template, in the order of the service: drafts, if the kind has drafts. None if there is no such template. */
  readonly ofTemplate: (kind: KindName, template: string) => Promise<readonly Section[]>
  /** The records of a kind that may be the one of a name: for kinds without `named`, all of the template. */
  readonly candidates: (kind: KindName, name: string, template: string) => Promise<readonly Section[]>
}

/** The fields of a list that make its entries whole records. */
export const wholeRecord = 'name,public,meta,properties'

/** Whether an entry of a list is a whole record: a service may list less than it is asked for. */
export function wholeOf({ name }: Kind): (entry: Section) => boolean {
  const schema = kindSchemas[name].record()
  return (entry) => schema.safeParse(entry).success
}

/** The records that a client can read. For many `documents`, lists are read instead of single records. */
export function recordsOf(client: Client, documents: readonly LoadedDocument[] = []): ServiceRecords {
  const list = onceEach((kind) => readList(client, kind, namesNeeded(documents, kind)))
  const named = onceEach(
    async (kind, name) =>
      (await list(kind.name, '')).records.get(name) ?? (await ifFound(readRecord(client, kind, name))),
  )
  const ofTemplate = onceEach(async (kind, template) => {
    if ((await named('template', template)) === undefined) return []
    if (kind.listed === undefined) return allRecords(client, kind, { template })
    const { records, isWhole } = await list(kind.name, '')
    const all = isWhole
      ? [...records.values()].filter((record) => at(record, 'properties', 'template') === template)
      : await readDrafts(client, kind, template, named)
    return all.filter((record) => record !== undefined).filter(isDraft)
  })
  const candidates = async (kind: KindName, name: string, template: string) => {
    if (kindOf(kind).listed === undefined) return ofTemplate(kind, template)
    const record = await named(kind, name)
    return record === undefined ? [] : [record]
  }
  return { named, ofTemplate, candidates }
}

/** How many records of a kind are asked for by name: those of documents, and their templates. */
function namesNeeded(documents: readonly LoadedDocument[], wanted: Kind): number {
  const names = documents.flatMap(({ kind, name, value }) => {
    if (kind === wanted.name) return [name]
    return wanted.parent === undefined ? [kindOf(kind).templateOf(value)] : []
  })
  return new Set(names).size
}

/** The drafts of a template that are listed: each read by its name, or many of them in pages, as far as these have whole records. */
async function readDrafts(client: Client, kind: Kind, template: string, named: ServiceRecords['named']) {
  const names = await draftNames(client, kind, template)
  const listed = names.length > atOnce ? await allRecords(client, kind, { template, fields: wholeRecord }) : []
  const whole = new Map(listed.filter(wholeOf(kind)).map((record) => [record.name, record]))
  return inParallel(names, async (name) => whole.get(name) ?? named(kind.name, name))
}

async function draftNames(client: Client, kind: Kind, template: string): Promise<string[]> {
  const records = await allRecords(client, kind, { template, fields: 'name,properties(unpublished)' })
  return records.filter(isDraft).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}

/** A list as far as it was read: a record that it does not have may exist all the same. */
interface Listed {
  readonly records: ReadonlyMap<unknown, Section>
  readonly isWhole: boolean
}

/**
 * Reads a list, but no more pages than records would be read at a time. Empty if so few records are needed that reading
 * each takes no longer, and if the service refuses the list.
 */
async function readList(client: Client, kind: Kind, needed: number): Promise<Listed> {
  const records = new Map<unknown, Section>()
  if (needed <= atOnce) return { records, isWhole: false }
  const most = Math.ceil(needed / atOnce)
  const isWhole = wholeOf(kind)
  /** Records that a page has. */
  let size = 0
  try {
    for (let page = 1; page <= most; page++) {
      const query = { fields: wholeRecord, limit: String(limits.pageMax), page: String(page) }
      const entries = await listRecords(client, kind, query)
      for (const entry of entries.filter(isWhole)) records.set(entry.name, entry)
      if (page === 1) size = entries.length
      if (isLastPage(entries.length, size)) return { records, isWhole: true }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
  return { records, isWhole: false }
}

/** Asks each question about a kind once. */
function onceEach<T>(ask: (kind: Kind, name: string) => Promise<T>): (kind: KindName, name: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  return (kind, name) => {
    const key = `${kind} ${name}`
    const answer = asked.get(key) ?? ask(kindOf(kind), name)
    asked.set(key, answer)
    return answer
  }
}
