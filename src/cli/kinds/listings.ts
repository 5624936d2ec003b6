import { Option } from 'commander'
import type { Payload } from '../../contract/api/table.ts'
import { at } from '../../contract/schema/path.ts'
import type { Context } from '../context.ts'
import { type Columns, printRecords } from '../io/records.ts'
import { everyPage } from '../service/every-page.ts'

/** A record of a list, as far as it was asked for. */
export type Listing = Payload<'listTemplates'>[number]

interface ListingQuery {
  readonly fields: string
  readonly limit: string
  readonly page: string
}

export interface Listings {
  readonly ask: (query: ListingQuery) => Promise<readonly Listing[]>
  /** The selection that the columns need. */
  readonly fields: string
  readonly columns: Columns<Listing>
  /** What is said where there are none. */
  readonly none: string
}

export interface FieldsOptions {
  readonly fields?: string
}

export const fieldsOption = (): Option =>
  new Option('--fields <selection>', 'print these fields as YAML: name,properties(unpublished)')

/** Every record of a list: as a table, or the fields that were asked for. */
export async function printListings(
  { ask, fields, columns, none }: Listings,
  { fields: wanted }: FieldsOptions,
  { output }: Context,
): Promise<void> {
  if (wanted === undefined) return printRecords(await everyListing(ask, fields), columns, none, output)
  const listings = await everyListing(ask, wanted)
  const { yamlLines } = await import('../io/yaml.ts')
  await output.listing(listings, () => yamlLines(listings))
}

/** The name tells records apart, so it is asked for in any case. */
async function everyListing(ask: Listings['ask'], fields: string): Promise<Listing[]> {
  const named = topLevel(fields).includes('name')
  const asked = named ? fields : `name,${fields}`
  const found = await everyPage(
    (paging) => ask({ ...paging, fields: asked }),
    ({ name }) => name,
  )
  return named ? found : found.map(({ name: _, ...rest }) => rest)
}

/** The names of a selection that stand in no parentheses. */
function topLevel(fields: string): string[] {
  const outer = fields.replace(/\([^()]*\)/g, '')
  return outer === fields ? fields.split(',').map((name) => name.trim()) : topLevel(outer)
}

/** Columns that templates and variations share. */
export const stateColumns: Columns<Listing> = {
  NAME: ({ name }) => name ?? '',
  STATE: (one) => (at(one, 'properties', 'unpublished') === false ? 'published' : 'draft'),
  PUBLIC: (one) => (at(one, 'public') === true ? 'public' : ''),
}
