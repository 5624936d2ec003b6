import type { UserScope } from '../environment.ts'
import { Unauthorized } from '../http/answers.ts'
import type { UserRow } from '../store/users.ts'

/** The caller as they are now; call it inside a write. Throws `unauthorized` where they were deleted meanwhile. */
export function currentUser({ store, user }: UserScope): UserRow {
  const current = store.users.byId(user.id)
  if (!current) throw new Unauthorized(false)
  return current
}
