import { limits } from '../limits.ts'
import { boolOps, type SchemaKind } from '../values.ts'
import { action } from './action.ts'
import { template } from './template.ts'
import { variation } from './variation.ts'

/** What a document is where it does not say; fields that are left out here have no default. */
export const documentDefaults: Partial<Record<SchemaKind, Readonly<Record<string, unknown>>>> = {
  template: template.defaults,
  variation: variation.defaults,
  action: action.defaults,
  discover: { limit: limits.page, page: 1, return: { type: '*' } },
}

/** Fields of entries of lists, and what they are where an entry does not say. */
export const entryDefaults: Readonly<Record<string, unknown>> = { bool_op: boolOps[0], count: 1 }
