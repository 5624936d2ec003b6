import { type RawBuilder, sql } from 'kysely'

/** A place in the order of vAtoms: newest first, of those of one second the one inserted last. */
export interface Key {
  readonly created: number
  readonly seq: number
}

/** A part of that order: what comes after a key, up to and with another. */
export interface Part {
  readonly after?: Key | undefined
  readonly upTo?: Key | undefined
}

/**
 * What vAtoms of a part have, as conditions of which one holds, in the order of the vAtoms: an index has them one after
 * the other. Of a comparison of (created, seq) it would only use `created`, for seq is the rowid.
 */
export function rangesOf({ after, upTo }: Part): RawBuilder<unknown>[] {
  if (after && upTo && after.created === upTo.created)
    return [sql`created = ${after.created} AND seq < ${after.seq} AND seq >= ${upTo.seq}`]
  const between = [
    ...(after ? [sql`created < ${after.created}`] : []),
    ...(upTo ? [sql`created > ${upTo.created}`] : []),
  ]
  return [
    ...(after ? [sql`created = ${after.created} AND seq < ${after.seq}`] : []),
    between.length > 0 ? sql.join(between, sql` AND `) : sql`TRUE`,
    ...(upTo ? [sql`created = ${upTo.created} AND seq >= ${upTo.seq}`] : []),
  ]
}

/** Columns of vAtoms for which a condition holds, from a key on, the oldest first, as SQL. */
export const columnsAfter = <R>(
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  { created, seq }: Key,
): RawBuilder<R> =>
  sql<R>`SELECT ${columns} FROM vatoms WHERE ${where} AND created = ${created} AND seq > ${seq}
    UNION ALL SELECT ${columns} FROM vatoms WHERE ${where} AND created > ${created} ORDER BY created, seq`
