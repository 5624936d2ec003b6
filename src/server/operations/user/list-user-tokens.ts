import { tokenRecord } from '../../domain/user-tokens.ts'
import type { Handler } from '../handlers.ts'

/** The caller's tokens, the default one first. */
export const listUserTokens: Handler<'listUserTokens'> = (scope) =>
  scope.store.users.tokensOf(scope.user.id).map((row) => tokenRecord(scope, row))
