import { visibleVatom } from '../../domain/access.ts'
import { JsonText } from '../../domain/json-text.ts'
import type { Handler } from '../handlers.ts'

/** A vAtom of the caller's, or one that everybody may find, signed in or not. */
export const getVatom: Handler<'getVatom'> = (scope, { id }) => new JsonText(visibleVatom(scope, id).json)
