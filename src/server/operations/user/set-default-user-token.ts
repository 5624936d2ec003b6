import { writeAs } from '../../auth/current-user.ts'
import { makeDefault, ownToken } from '../../domain/user-tokens.ts'
import type { Handler } from '../handlers.ts'

/** Makes a token the caller's only default one. */
export const setDefaultUserToken: Handler<'setDefaultUserToken'> = async (scope, { id }) => {
  await writeAs(scope, (scope) => makeDefault(scope, ownToken(scope, id)))
  return { success_message: 'Default token changed.' }
}
