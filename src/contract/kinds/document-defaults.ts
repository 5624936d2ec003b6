import { limits } from '../limits.ts'
import { boolOps, type SchemaKind } from '../values.ts'
import { completeVatom, variationDefaults } from '../vatom/complete.ts'
import { actionDefaults } from './action-defaults.ts'

/** What a document is where it does not say; fields that are left out here have no default. */
export const documentDefaults: Partial<Record<SchemaKind, Readonly<Record<string, unknown>>>> = {
  template: { unpublished: true, public: false, cloneable: false, vatom: completeVatom({}) },
  variation: { unpublished: true, ...variationDefaults },
  action: actionDefaults,
  discover: { limit: limits.page, page: 1, return: { type: '*' } },
}

/** Fields of entries of lists, and what they are where an entry does not say. */
export const entryDefaults: Readonly<Record<string, unknown>> = { bool_op: boolOps[0], count: 1 }
