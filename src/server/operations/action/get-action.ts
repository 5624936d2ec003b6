import { readableAction } from '../../domain/action.ts'
import { JsonText } from '../../domain/json-text.ts'
import type { Handler } from '../handlers.ts'

/** An action of a template that the publisher may read, with every default filled in. */
export const getAction: Handler<'getAction'> = (scope, { name }) => new JsonText(readableAction(scope, name).json)
