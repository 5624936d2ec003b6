import { lazy } from '../schema/lazy-schema.ts'
import { OwnerQuery } from './catalog-label.ts'
import { whole } from './paging.ts'

/** Query of what deletes a draft, with the vAtoms that were emitted from it. */
export const DraftDeletionQuery = lazy(() =>
  OwnerQuery().extend({
    vatoms: whole()
      .optional()
      .describe('Does it only if at most so many vAtoms are deleted with it, trashed and redeemed ones included.'),
  }),
)

/** The assumption about that query. */
export const withoutMore =
  'with vatoms=NUMBER a draft of which there are more vAtoms is not deleted (9051), num_vatoms and num_trashed of its variations taken together; they are counted before what is in them moves, and again as it is deleted: what has moved stays moved then'
