import { JsonText } from '../../http/answers.ts'
import { ownAction } from '../../records/action.ts'
import type { Handler } from '../handlers.ts'

/** An action of the publisher's, with every default filled in. */
export const getAction: Handler<'getAction'> = (scope, { name }) => new JsonText(ownAction(scope, name).json)
