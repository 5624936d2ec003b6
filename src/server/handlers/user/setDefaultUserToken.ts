import { makeDefault, ownToken } from '../../records/user-tokens.ts'
import type { Handler } from '../handlers.ts'

/** Makes a token the caller's only default one. */
export const setDefaultUserToken: Handler<'setDefaultUserToken'> = async (scope, { id }) => {
  await scope.store.write(() => makeDefault(scope, ownToken(scope, id)))
  return { success_message: 'Default token changed.' }
}
