import { sql } from 'kysely'
import type { ReadCaches } from './database/read-caches.ts'
import { valuesFunction } from './json-values.ts'
import { builder, type Connection, eachOf, query } from './query.ts'
import {
  type Bit,
  fixed,
  integer,
  nullable,
  type PublisherPage,
  type RowOf,
  real,
  table,
  text,
  truth,
} from './table.ts'
import { meta, readableBy, readableNames } from './templates.ts'

export const variations = table('variations', {
  key: ['name'],
  columns: {
    name: text,
    template: fixed(text),
    publisher_fqdn: fixed(text),
    unpublished: truth,
    public: truth,
    auto_create_on_acquire: truth,
    /** JSON of what the variation overrides: `{vatom, eth}`. */
    overrides: text,
    /** JSON of the vAtoms it makes: the template's sections with the overrides applied. */
    resolved: text,
    /** What a clone adds to cloning_score. */
    cloning_gain: real,
    /** Most clones that there may be in all; null: any number. */
    max_clones: nullable(integer),
    /** Changed by `countClone` alone. */
    num_clones: fixed(integer),
    ...meta,
  },
})
export type VariationRow = RowOf<typeof variations>

/**
 * Which variations the child_policy of a variation names, in the order in which they are looked for. Triggers write it.
 */
export const variationChildren = table('variation_children', {
  key: ['child', 'unpublished', 'template', 'parent'],
  columns: {
    child: text,
    /** Of the parent, as its template. */
    unpublished: truth,
    template: text,
    parent: text,
  },
})

const page = readableNames('variations')
const pageOfTemplate = query<PublisherPage & { template: string }>()((value) =>
  builder
    .selectFrom('variations')
    .select('name')
    .where('template', '=', value.template)
    .where(readableBy(value.publisher))
    .orderBy('name')
    .limit(value.limit)
    .offset(value.offset),
)

/** How many names of the variations of a template are read at a time. */
const namesAtOnce = 100

const namesOf = query<{ template: string; after: string }>()((value) =>
  builder
    .selectFrom('variations')
    .select('name')
    .where('template', '=', value.template)
    .where('name', '>', value.after)
    .orderBy('name')
    .limit(sql.lit(namesAtOnce)),
)

const countClone = query<{ name: string }>()((value) =>
  builder
    .updateTable('variations')
    .set((row) => ({ num_clones: row('num_clones', '+', 1) }))
    .where('name', '=', value.name),
)

/** A variation that is deleted, and its publisher. */
interface Deleted {
  readonly child: string
  readonly template: string
  readonly publisher: string
}
/** Published variations, or drafts, of the templates between two names. */
interface ParentRange {
  readonly unpublished: Bit
  readonly after: string
  readonly before: string
}

/**
 * What a publisher may name of what names a variation, the most important first. Others have only drafts that name it.
 */
function parentRanges({ template, publisher }: Deleted): readonly ParentRange[] {
  const own = { after: `${publisher}::`, before: `${publisher}:;` }
  return [
    { unpublished: 0, ...own },
    { unpublished: 1, ...own, before: template },
    { unpublished: 1, ...own, after: template },
  ]
}

const parents = query<ParentRange & { child: string; limit: number }>()(
  (value) =>
    sql<{ parent: string }>`SELECT parent FROM variation_children
      WHERE child = ${value.child} AND unpublished = ${value.unpublished}
        AND template > ${value.after} AND template < ${value.before}
      ORDER BY template, parent LIMIT ${value.limit}`,
)

/** How large a variation is with its vAtoms, trashed ones too. */
export interface VariationSize {
  readonly name: string
  /** Bytes of JSON: its own, and those of its vAtoms. */
  readonly bytes: number
  readonly vatoms: number
  /** How many variations its child_policy names. */
  readonly children: number
  /** Whether it has an eth section of its own. */
  readonly hasContract: Bit
}
/** How many variations are measured at a time. */
const measuredAtOnce = 20

/** Reads no text but that of the overrides. */
const sizes = query<{ template: string; after: string }>()(
  (value) =>
    sql<VariationSize>`SELECT name, octet_length(overrides) + octet_length(resolved) + (
        SELECT coalesce(sum(octet_length(json)), 0) FROM vatoms WHERE template_variation = name) AS bytes,
      (SELECT count(*) FROM vatoms WHERE template_variation = name) AS vatoms,
      (SELECT count(*) FROM variation_children WHERE parent = name) AS children,
      json_type(overrides, '$.eth') IS 'object' AS hasContract
      FROM variations WHERE template = ${value.template} AND name > ${value.after}
      ORDER BY name LIMIT ${sql.lit(measuredAtOnce)}`,
)

const valuesOfColumn = (name: string) => sql`${sql.raw(valuesFunction)}(${sql.ref(name)})`

const values = query<{ name: string }>()(
  (value) =>
    sql<{ count: number }>`SELECT ${valuesOfColumn('overrides')} + ${valuesOfColumn('resolved')} + (
        SELECT coalesce(sum(${valuesOfColumn('json')}), 0) FROM vatoms WHERE template_variation = name) AS count
      FROM variations WHERE name = ${value.name}`,
)

/** Reads indexes alone. */
const countVatoms = query<{ template: string }>()(
  (value) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM variations
      CROSS JOIN vatoms ON vatoms.template_variation = variations.name WHERE variations.template = ${value.template}`,
)

/** The queries of parents, drafts and lists, for the tests of their plans. */
export const parentQueries = { parents }
export const draftQueries = { namesOf, sizes, values, countVatoms }
export const variationLists = { page, pageOfTemplate }

/** How many characters of variations are cached at most. */
const cached = 2 ** 20

/** Rows in the order of their names; `read` returns those after a name, `many` at a time, or fewer where they are the last. */
function* byName<Row extends { readonly name: string }>(
  read: (after: string) => readonly Row[],
  many: number,
): Generator<readonly Row[], void, void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const some = read(after)
    yield some
    after = some.length < many ? undefined : some.at(-1)?.name
  }
}

/** Template variations, by their unique names. */
export function variationsOf(db: Connection, caches: ReadCaches) {
  const known = caches.of<VariationRow>({
    tables: ['variations'],
    most: cached,
    sizeOf: ({ overrides, resolved }) => overrides.length + resolved.length,
  })
  return {
    byName: (name: string) => known(name, () => db.first(variations.find, { name })),
    /** Those of a template, by name, each read when it is wanted: there may be any number of them. */
    *ofTemplate(template: string): Generator<VariationRow, void, void> {
      for (const some of byName((after) => db.rows(namesOf, { template, after }), namesAtOnce))
        yield* eachOf(db, variations.find, some)
    },
    /** The publisher's own and what others made public, by name, of one template if it is given; each read when it is wanted. */
    page: ({ template, ...values }: PublisherPage & { readonly template: string | undefined }) =>
      eachOf(
        db,
        variations.find,
        template === undefined ? db.rows(page, values) : db.rows(pageOfTemplate, { ...values, template }),
      ),
    /** How large those of a template are, some at a time. */
    sizesOf: (template: string) => byName((after) => db.rows(sizes, { template, after }), measuredAtOnce),
    /** How many values there are in its JSON, and in that of its vAtoms, all of which is read. */
    valuesOf: (name: string) => db.first(values, { name })?.count ?? 0,
    /** How many vAtoms those of a template have, trashed ones too. */
    countVatoms: (template: string) => db.first(countVatoms, { template })?.count ?? 0,
    /**
     * Names of some of the publisher's whose child_policy names a variation and which stay when its template is
     * deleted: what is published, then drafts of other templates. No more are read.
     */
    parents: (deleted: Deleted, limit: number): readonly string[] =>
      parentRanges(deleted)
        .flatMap((range) => db.rows(parents, { child: deleted.child, ...range, limit }))
        .slice(0, limit)
        .map(({ parent }) => parent),
    insert: (variation: VariationRow) => db.run(variations.insert, variation),
    update: (variation: VariationRow) => db.run(variations.update, variation),
    /** Counts one more clone of its vAtoms. */
    countClone: (name: string) => db.run(countClone, { name }),
    remove: (name: string) => db.run(variations.remove, { name }),
  }
}
