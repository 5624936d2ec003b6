import { isUuid, normalToken, signInTypes } from '../../contract/api/user-token-formats.ts'
import type { Store } from '../store/store.ts'

/**
 * The id of a user whom a test names by it, or by what they sign in with; undefined where it is neither. An id may be that
 * of a user who was deleted.
 */
export function idOfUser({ users }: Pick<Store, 'users'>, name: string): string | undefined {
  for (const type of signInTypes) {
    const user = users.byToken(type, normalToken(type, name))
    if (user) return user.id
  }
  return isUuid(name) ? name : undefined
}

/** What is wrong with a name that is no user's. */
export const noUser = (name: string): string =>
  `${JSON.stringify(name)} is neither the id of a user nor what one signs in with`
