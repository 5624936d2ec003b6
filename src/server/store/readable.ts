import { type SqlBool, sql } from 'kysely'

/** Holds for templates or variations of a publisher's own, and for what others made public and published. Spec 2.2. */
export const readableBy = (publisher: string) =>
  sql<SqlBool>`(publisher_fqdn = ${publisher} OR (public = 1 AND unpublished = 0))`
