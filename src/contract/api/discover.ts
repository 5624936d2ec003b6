import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { excessComparisons } from '../rules/query-cost.ts'
import { checkedFirst } from '../schema/checked-first.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import type { Path } from '../schema/path.ts'
import { list, recordOf, text, unlisted } from '../schema/scalars.ts'
import { boolOps, extraSearchFields, filterFields, filterOps, privatePrefix, scopeKeys } from '../values.ts'
import type { Rows } from './endpoint.ts'
import { newestFirst } from './paging.ts'
import { foundDesigns } from './vatom.ts'

const filterable: ReadonlySet<string> = new Set([...filterFields, ...extraSearchFields])

const scopable: ReadonlySet<string> = new Set([...scopeKeys, ...filterFields, ...extraSearchFields])

const field = (known: ReadonlySet<string>, listed: readonly string[], description: string) =>
  z
    .string()
    .refine((name) => known.has(name) || (name.length > privatePrefix.length && name.startsWith(privatePrefix)), {
      error: ({ input }) => `${String(input)} is not a field that can be searched`,
      params: { rule: 'search-field', candidates: listed },
    })
    .meta({
      description,
      anyOf: [
        { enum: [...listed] },
        { enum: [...known].filter((name) => !listed.includes(name)), 'x-unlisted': true },
        { pattern: '^private\\.[\\s\\S]', examples: ['private.NAME'], 'x-unlisted': true },
      ],
    })

/** What a search can answer: whole vAtoms by any name but `count`. */
const returnTypes = ['*', 'count', '', 'PAYLOAD'] as const

const scopeValue = lazy(() =>
  text(limits.scopeValues * limits.name)
    .refine((value) => value.split(',', limits.scopeValues + 1).length <= limits.scopeValues, {
      error: `must have at most ${limits.scopeValues} comma-separated values`,
      params: { rule: 'length' },
    })
    .meta({
      description: `Up to ${limits.scopeValues} comma-separated values, any of which may match; $currentuser is the caller.`,
      pattern: `^[^,]*(,[^,]*){0,${limits.scopeValues - 1}}$`,
    }),
)

/** Scope of a search. Spec 4.4. */
const Scope = named('Scope', () =>
  z.strictObject({
    key: field(scopable, scopeKeys, 'The field that must have one of the values.'),
    value: scopeValue(),
  }),
)

/** One comparison. Spec 4.4. */
const FilterElement = named('FilterElement', () =>
  z.strictObject({
    field: field(filterable, filterFields, 'The field that is compared.'),
    filter_op: z.enum(filterOps).describe('Match: the field contains the value; * stands for any characters.'),
    value: text(1024).describe('What the field is compared with; $currentuser is the caller.'),
    bool_op: z.enum(boolOps).optional().describe('Joins this element to the next; And when omitted.'),
  }),
)

/** Comparisons evaluated strictly left to right; groups are joined by And. Spec 4.4. */
const FilterGroup = named('FilterGroup', () =>
  z.strictObject({ filter_elems: list(FilterElement(), 100).describe('Comparisons, in order.') }),
)

const sent = unlisted('Accepted because clients send it; has no effect.')

const count = lazy(() => z.int().min(0))

const query = lazy(() => ({
  scope: Scope().nullable().optional().describe('One field and the values it may have.'),
  limit: count().optional().describe('Records per page: 100 by default; 0 and above 1000 mean 1000.'),
  page: count().optional().describe('Page to return; 0 and 1 are the first.'),
  filters: list(FilterGroup(), 20).nullable().optional().describe('Groups that must all match.'),
  return: z
    .strictObject({
      type: z
        .enum(returnTypes, { error: 'must be "*" for whole vAtoms, or count for their number' })
        .optional()
        .meta({
          description:
            '*: whole vAtoms. count: only their number. PAYLOAD, which the Android SDK sends, and "" are read as *.',
          anyOf: [{ enum: ['*'] }, { enum: returnTypes.slice(1), 'x-unlisted': true }],
        }),
      fields: list(z.string()).nullable().optional().meta(sent),
    })
    .nullable()
    .optional()
    .describe('What the answer contains.'),
}))

/** A search or query of which no more comparisons are checked than it may have. */
const counted = <S extends z.ZodType>(schema: S, what: string, path: Path) =>
  checkedFirst(schema, (value) => {
    const found = excessComparisons(value)
    return found === undefined ? undefined : { path, rule: 'query-cost', message: `the ${what} has ${found}` }
  })

/** Body of Search vAtoms. Spec 4.4. */
export const Discover = named(
  'Discover',
  () =>
    counted(
      z.strictObject({
        ...query(),
        sample: count()
          .optional()
          .meta(unlisted('How many vAtoms of each group are found, the newest first; 0, or without group_by: all.')),
        group_by: list(field(filterable, filterFields, 'A field whose value the vAtoms of a group share.'), 10)
          .optional()
          .meta(unlisted('The fields that make up a group; needs sample.')),
      }),
      'search',
      ['filters'],
    ),
  'A search for vAtoms the caller owns or that are public.',
)
export type Discover = ValueOf<typeof Discover>

/** The `query` of a discover container: a search by whoever looks into it. Spec 2.4. */
export const DiscoverQuery = named(
  'DiscoverQuery',
  () =>
    counted(
      z.strictObject({
        ...query(),
        limit: count()
          .optional()
          .describe('How many vAtoms it shows, newest first; omitted: all; 0 and above 1000 mean 1000.'),
        page: count().optional().describe('Which page it shows; a page has limit vAtoms (100 when limit is omitted).'),
        return: z
          .strictObject({
            type: z
              .enum(['*', ''], { error: 'must be "*": a container shows whole vAtoms' })
              .optional()
              .describe('Only * is supported: whole vAtoms.'),
            fields: z
              .array(z.string())
              .max(0, { error: 'must be empty: a container shows whole vAtoms' })
              .nullable()
              .optional()
              .describe('None are supported: whole vAtoms.'),
          })
          .nullable()
          .optional()
          .describe('What is shown.'),
      }),
      'query',
      [],
    ),
  'The query that finds the children of a container.',
)
export type DiscoverQuery = ValueOf<typeof DiscoverQuery>

/** Payload of Search vAtoms; `count` is the page's length, in count mode the total. */
export const DiscoverPage = named('DiscoverPage', () =>
  z.looseObject({
    results: z.array(recordOf('VatomRecord')),
    ...foundDesigns(),
    count: z.int(),
  }),
)

/** Search vAtoms. */
export const discoverRows = {
  discover: {
    method: 'POST',
    path: '/v1/vatom/discover',
    auth: 'user',
    spec: '4.4',
    summary: 'Search vAtoms',
    reads: true,
    body: Discover,
    payload: DiscoverPage,
    errors: ['invalid'],
    details: [
      'a scope on parent_id with the id of a discover container finds what the query of the container finds for the caller, up to the limit of that query; discover containers inside that query count as empty',
      'with sample and group_by, only the newest vAtoms of each group are found, as many as sample says: limit, page and count are about those; vAtoms without a field that is grouped by are one group',
      'Match is case-sensitive, and * stands for any characters',
      newestFirst,
      'bool_op joins the elements of a group from left to right: And does not bind closer than Or; groups are joined by And',
      'a vAtom of visibility container is found like the folder that it is in; outside a folder only its owner finds it',
      'a body that is not valid is refused with 400, which the specification does not list for this operation',
      'a scope on the ids of containers searches in those containers; a filter by parent_id searches only in folders',
      'a public vAtom of a draft is found like any other: public means all users',
    ],
  },
} as const satisfies Rows
