import type { ReadCaches } from './database/read-caches.ts'
import { builder, type Connection, eachOf, query } from './query.ts'
import { fixed, integer, nullable, type PublisherPage, type RowOf, real, table, text, truth } from './table.ts'
import { meta, readableBy } from './templates.ts'

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

const listed = (value: PublisherPage) =>
  builder
    .selectFrom('variations')
    .select('name')
    .where(readableBy(value.publisher))
    .orderBy('name')
    .limit(value.limit)
    .offset(value.offset)
const page = query<PublisherPage>()(listed)
const pageOfTemplate = query<PublisherPage & { template: string }>()((value) =>
  listed(value).where('template', '=', value.template),
)

const namesOf = variations.select({ read: ['name'], where: ['template'], order: ['name'] })
const countOf = variations.count('template')

const countClone = query<{ name: string }>()((value) =>
  builder
    .updateTable('variations')
    .set((row) => ({ num_clones: row('num_clones', '+', 1) }))
    .where('name', '=', value.name),
)

const naming = query<{ text: string }>()((value) =>
  builder
    .selectFrom('variations')
    .selectAll()
    .where((row) => row(row.fn('instr', ['resolved', row.val(value.text)]), '>', 0))
    .orderBy('name'),
)

/** How many characters of variations are cached at most. */
const cached = 2 ** 20

/** Template variations, by their unique names. */
export function variationsOf(db: Connection, caches: ReadCaches) {
  const known = caches.of<VariationRow>({
    tables: ['variations'],
    most: cached,
    sizeOf: ({ overrides, resolved }) => overrides.length + resolved.length,
  })
  return {
    byName: (name: string) => known(name, () => db.first(variations.find, { name })),
    /** Those of a template, by name, each read when it is wanted. */
    ofTemplate: (template: string) => eachOf(db, variations.find, db.rows(namesOf, { template })),
    countOf: (template: string) => db.first(countOf, { template })?.count ?? 0,
    /** The publisher's own and what others made public, by name, of one template if it is given; each read when it is wanted. */
    page: ({ template, ...values }: PublisherPage & { readonly template: string | undefined }) =>
      eachOf(
        db,
        variations.find,
        template === undefined ? db.rows(page, values) : db.rows(pageOfTemplate, { ...values, template }),
      ),
    /** Those whose vAtoms are made with a text in some value. */
    naming: (text: string) => db.rows(naming, { text }),
    insert: (variation: VariationRow) => db.run(variations.insert, variation),
    update: (variation: VariationRow) => db.run(variations.update, variation),
    /** Counts one more clone of its vAtoms. */
    countClone: (name: string) => db.run(countClone, { name }),
    remove: (name: string) => db.run(variations.remove, { name }),
  }
}
