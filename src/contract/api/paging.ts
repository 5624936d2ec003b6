import * as z from 'zod/v4'
import { lazy } from '../schema/lazy-schema.ts'
import { recordName } from '../schema/scalars.ts'

/** A whole number in a query. */
export const whole = lazy(() =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .meta({ type: 'integer', minimum: 0, maximum: 999_999_999 }),
)

/** Fields of a query for a page of a list; pages 0 and 1 are the first. Spec 8. */
export const paging = lazy(() => ({
  limit: whole().optional().describe('100 by default; 0 and above 1000 mean 1000.'),
  page: whole().optional().describe('From 1.'),
}))

/** Query for a page of what belongs to a template. */
export const ofTemplate = lazy(() => ({
  template: recordName().describe('The template it belongs to.'),
  ...paging(),
}))

/** How vAtoms that were found are ordered. */
export const newestFirst = 'newest first; of vAtoms that were made in the same second, the one made last comes first'
