import type * as z from 'zod/v4'
import type { Client } from '../../../client/client.ts'
import { TemplateRecord } from '../../../contract/kinds/template-schemas.ts'
import { VariationRecord } from '../../../contract/kinds/variation-schemas.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import type { Schema } from '../../../contract/schema/lazy-schema.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { seeList } from '../../failure/hinted.ts'
import { progress } from '../../io/progress.ts'
import { everyPage, type Paging } from '../../service/every-page.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { actionsOf, facesOf } from '../../service/reads.ts'
import { wholeRecord } from '../plan/service-records.ts'

/** A template of the publisher's with the records that belong to it, itself included. */
export interface Family {
  readonly name: string
  /** By name; faces in order of registration, because of equal ones a viewer picks the first. */
  readonly records: Readonly<Record<KindName, readonly Section[]>>
}

/** The templates that are wanted, by name, and the names of all of the publisher's templates. */
export interface ReadFamilies {
  readonly families: readonly Family[]
  readonly names: readonly string[]
}

/** Reads what a publisher has, or only templates of the `wanted` names. Throws `not_found` for one that is not the publisher's. */
export async function readFamilies(
  client: Client,
  publisher: string,
  wanted: readonly string[],
  { host, output }: Context,
): Promise<ReadFamilies> {
  const [templates, variations] = await Promise.all([readTemplates(client, publisher), readVariations(client)])
  const chosen = choose(templates, wanted)
  const bar = await progress(output, host, chosen.length)
  try {
    const families = await inParallel(chosen, async (template) => {
      host.signal.throwIfAborted()
      bar.step(template.name)
      return familyOf(client, template, variations.get(template.name) ?? [])
    })
    return { families, names: templates.map(({ name }) => name) }
  } finally {
    bar.stop()
  }
}

async function familyOf(
  client: Client,
  template: TemplateRecord,
  variation: readonly VariationRecord[],
): Promise<Family> {
  const { name } = template
  const [face, actions] = await Promise.all([facesOf(client, name), actionsOf(client, name)])
  return { name, records: { template: [template], variation, face, action: byName(actions) } }
}

async function readTemplates(client: Client, publisher: string): Promise<TemplateRecord[]> {
  const records = await readAll(
    TemplateRecord,
    (query) => client.listTemplates({ query }),
    (name) => client.getTemplate({ name }),
  )
  return records.filter(({ properties }) => properties.publisher_fqdn === publisher)
}

/** Variations by template; those of others belong to no template of the publisher's. */
async function readVariations(client: Client): Promise<Map<string, VariationRecord[]>> {
  const records = await readAll(
    VariationRecord,
    (query) => client.listVariations({ query }),
    (name) => client.getVariation({ name }),
  )
  return groupBy(records, ({ properties }) => properties.template)
}

type Named = { readonly name: string }

/** The whole records of a list, by name; one that the list has only in part is read by itself. */
async function readAll<S extends z.ZodType<Named>>(
  schema: Schema<S>,
  list: (query: Paging & { readonly fields: string }) => Promise<readonly Partial<Named>[]>,
  get: (name: string) => Promise<z.output<S>>,
): Promise<z.output<S>[]> {
  const listed = await everyPage(
    (paging) => list({ fields: wholeRecord, ...paging }),
    ({ name }) => name,
  )
  return byName(await inParallel(listed, async (one) => schema().safeParse(one).data ?? get(String(one.name))))
}

const byName = <R extends { readonly name: string }>(records: readonly R[]): R[] =>
  [...records].sort((a, b) => (a.name < b.name ? -1 : 1))

function choose(templates: readonly TemplateRecord[], wanted: readonly string[]): readonly TemplateRecord[] {
  if (wanted.length === 0) return templates
  const missing = wanted.find((name) => !templates.some((template) => template.name === name))
  if (missing === undefined) return templates.filter(({ name }) => wanted.includes(name))
  throw new Failure('not_found', exit.refused, `No template of yours is named ${missing}`, {
    hint: seeList('template list'),
  })
}
