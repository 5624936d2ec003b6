import { type RawBuilder, sql } from 'kysely'

/** `WITH inside (id)`: vAtoms, which a statement selects, and what is in them, however deep. */
export const withInside = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH RECURSIVE inside (id) AS (
    ${first}
    UNION
    SELECT vatoms.id FROM inside JOIN vatoms ON vatoms.parent_id = inside.id)`

/** `WITH reached (id)`: vAtoms, and what is in them by `container`, however deep: all are found by the same. Spec 2.4. */
export const withReached = (first: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  WITH RECURSIVE reached (id) AS (
    ${first}
    UNION
    SELECT vatoms.id FROM reached JOIN vatoms ON vatoms.parent_id = reached.id
    WHERE vatoms.visibility_type = 'container')`
