import type * as z from 'zod/v4'
import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/errors.ts'
import type { ActionRecord } from '../../../contract/kinds/action-schemas.ts'
import type { FaceRecord } from '../../../contract/kinds/face-schemas.ts'
import { TemplateRecord } from '../../../contract/kinds/template-schemas.ts'
import { VariationRecord } from '../../../contract/kinds/variation-schemas.ts'
import { limits } from '../../../contract/limits.ts'
import type { Schema } from '../../../contract/schema/lazy-schema.ts'
import { at } from '../../../contract/schema/path.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import { everyPage, type Paging } from '../../service/every-page.ts'
import { atOnce, inParallel } from '../../service/in-parallel.ts'
import { actionsOf, facesOf, ifThere } from '../../service/reads.ts'

/** The records of a service, each read at most once. */
export interface ServiceRecords {
  readonly template: (name: string) => Promise<TemplateRecord | undefined>
  readonly variation: (name: string) => Promise<VariationRecord | undefined>
  /** In order of registration; none of a template that does not exist. */
  readonly facesOf: (template: string) => Promise<readonly FaceRecord[]>
  readonly actionsOf: (template: string) => Promise<readonly ActionRecord[]>
  /** Variations that are drafts. */
  readonly draftsOf: (template: string) => Promise<readonly VariationRecord[]>
  /** The records of a kind among which the one of a name, or a face of a template, is. */
  readonly candidates: (kind: KindName, name: string, template: string) => Promise<readonly Section[]>
}

/** How many records of a kind will be asked for by name. */
export interface Wanted {
  readonly templates: number
  readonly variations: number
}

/** The fields of a list that make its entries whole records. */
export const wholeRecord = 'name,public,meta,properties'

/** The records that a client sees. Where many are wanted, lists are read instead of one record after the other. */
export function recordsOf(client: Client, wanted: Wanted = { templates: 0, variations: 0 }): ServiceRecords {
  const templates = listOnce(wanted.templates, TemplateRecord, (paging) =>
    client.listTemplates({ query: { fields: wholeRecord, ...paging } }),
  )
  const variations = listOnce(wanted.variations, VariationRecord, (paging) =>
    client.listVariations({ query: { fields: wholeRecord, ...paging } }),
  )
  const template = once(async (name) => (await templates()).records.get(name) ?? ifThere(client.getTemplate({ name })))
  const variation = once(
    async (name) => (await variations()).records.get(name) ?? ifThere(client.getVariation({ name })),
  )
  const ofTemplate = <R>(list: (name: string) => Promise<readonly R[]>) =>
    once(async (name) => ((await template(name)) === undefined ? [] : list(name)))
  const faces = ofTemplate((name) => facesOf(client, name))
  const actions = ofTemplate((name) => actionsOf(client, name))
  const candidates: Readonly<Record<KindName, Candidates>> = {
    template: async (name) => listed(await template(name)),
    variation: async (name) => listed(await variation(name)),
    action: (_, of) => actions(of),
    face: (_, of) => faces(of),
  }
  return {
    template,
    variation,
    facesOf: faces,
    actionsOf: actions,
    candidates: (kind, name, of) => candidates[kind](name, of),
    draftsOf: ofTemplate(async (name) => {
      const { records, isWhole } = await variations()
      const all = isWhole
        ? [...records.values()].filter(({ properties }) => properties.template === name)
        : await namedDrafts(client, name, variation)
      return all.filter(({ properties }) => properties.unpublished !== false)
    }),
  }
}

type Candidates = (name: string, template: string) => Promise<readonly Section[]>

const listed = (record: Section | undefined): readonly Section[] => (record === undefined ? [] : [record])

async function namedDrafts(client: Client, template: string, variation: ServiceRecords['variation']) {
  const fields = 'name,properties(unpublished)'
  const listed = await everyPage(
    (paging) => client.listVariations({ query: { template, fields, ...paging } }),
    ({ name }) => name,
  )
  const names = listed.flatMap(({ name, ...record }) =>
    name === undefined || at(record, 'properties', 'unpublished') === false ? [] : [name],
  )
  const drafts = await inParallel(names, variation)
  return drafts.filter((draft) => draft !== undefined)
}

/** A list as far as it was read: a record that it does not have may exist all the same. */
interface Listed<R> {
  readonly records: ReadonlyMap<string, R>
  readonly isWhole: boolean
}

type Ask = (paging: Paging) => Promise<readonly object[]>

/**
 * Reads a list when it is first needed; empty where so few records are wanted that asking for each takes no longer, and
 * where the service refuses the list. No more pages are read than records would be at a time.
 */
function listOnce<S extends z.ZodType<{ readonly name: string }>>(
  wanted: number,
  schema: Schema<S>,
  ask: Ask,
): () => Promise<Listed<z.output<S>>> {
  const none: Listed<z.output<S>> = { records: new Map(), isWhole: false }
  const list = once(() =>
    readList(Math.ceil(wanted / atOnce), schema, ask).catch((error) => unlessRefused(error, none)),
  )
  return () => (wanted > atOnce ? list('') : Promise.resolve(none))
}

async function readList<S extends z.ZodType<{ readonly name: string }>>(most: number, schema: Schema<S>, ask: Ask) {
  const records = new Map<string, z.output<S>>()
  for (let page = 1; page <= most; page++) {
    const entries = await ask({ limit: String(limits.pageMax), page: String(page) })
    for (const entry of entries) {
      const record = schema().safeParse(entry).data
      if (record !== undefined) records.set(record.name, record)
    }
    if (entries.length < limits.pageMax) return { records, isWhole: true }
  }
  return { records, isWhole: false }
}

function unlessRefused<T>(error: unknown, otherwise: T): T {
  if (error instanceof ServiceError) return otherwise
  throw error
}

/** Asks each question once. */
function once<T>(ask: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  return (name) => {
    const answer = asked.get(name) ?? ask(name)
    asked.set(name, answer)
    return answer
  }
}
