import { ownVariation } from '../../records/drafts.ts'
import { variationRecord } from '../../records/variation.ts'
import type { Handler } from '../handlers.ts'

/** A variation of the publisher's, with the vAtom it makes. Spec 2.5. */
export const getVariation: Handler<'getVariation'> = (scope, { name }) => variationRecord(ownVariation(scope, name))
