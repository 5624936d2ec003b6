import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { CatalogName } from '../project.ts'
import { lazy, listOf, named } from '../schema/lazy-schema.ts'
import { text } from '../schema/scalars.ts'
import { kinds } from '../values.ts'
import type { Rows } from './endpoint.ts'
import { paging } from './paging.ts'

/** A record as labels identify it. */
const labelled = () => ({
  kind: z.enum(kinds),
  key: text(limits.name).describe("The record's name, a face's id."),
})

/** The label of a record: the catalog that applied it last. */
const CatalogLabel = named('CatalogLabel', () =>
  z.looseObject({
    ...labelled(),
    catalog: z.string(),
    revision: z
      .string()
      .optional()
      .describe('Another one after each change of the catalog, also back; empty for one of an earlier version.'),
    template: z.string().optional().describe('The template of a face.'),
  }),
)

/** Query of List Labels. */
const LabelListQuery = lazy(() => z.object(paging()))

/** Query of what changes or deletes a record. */
export const OwnerQuery = lazy(() =>
  z.object({
    catalog: z
      .string()
      .regex(/^[\w.-]{0,64}(,[\w.-]{1,64})*$/, {
        error: 'must have names of catalogs with , between them, or be empty',
      })
      .max(limits.name)
      .optional()
      .describe('Does it only if the label of the record names one of these catalogs, or it has none.'),
  }),
)

/** The assumption about that query. */
export const ofOwner =
  'with catalog=NAME,NAME a record whose label names another catalog stays as it is (9050), with catalog= each that has a label; what belongs to a template goes with it, whatever its labels'

/** Body of Label Records. */
export const LabelRecords = named('LabelRecords', () =>
  z.strictObject({
    catalog: CatalogName().nullable().describe('The name of the catalog that owns them now; null for none.'),
    records: z.array(z.strictObject(labelled())).max(limits.pageMax),
  }),
)

/** Operations on the labels that say which catalog a record belongs to. */
export const catalogLabelRows = {
  listLabels: {
    method: 'GET',
    path: '/v1/publisher/label',
    auth: 'publisher',
    spec: null,
    summary: 'List which catalogs records belong to',
    query: LabelListQuery,
    payload: listOf(CatalogLabel),
    errors: ['invalid'],
    assumed: 'plan and apply use it where a service offers dry runs; no record of a client shows labels',
  },
  labelRecords: {
    method: 'PATCH',
    path: '/v1/publisher/label',
    auth: 'publisher',
    spec: null,
    summary: 'State which catalog records belong to',
    body: LabelRecords,
    repeatable: true,
    errors: ['invalid'],
    assumed: 'a record that does not exist, or is not of the publisher, is skipped; a label is deleted with its record',
  },
} as const satisfies Rows
