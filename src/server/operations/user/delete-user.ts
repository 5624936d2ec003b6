import { ApiError } from '../../../contract/api/errors.ts'
import { currentUser } from '../../auth/current-user.ts'
import { timestamp } from '../../clock.ts'
import type { UserScope } from '../../environment.ts'
import { tellMap } from '../../events/change.ts'
import type { Handler } from '../handlers.ts'

/** Deletes the caller, and the file of their avatar then; their vAtoms go to the trash user. */
export const deleteUser: Handler<'deleteUser'> = async (scope) => {
  const avatar = await scope.store.write(() => removed(scope))
  if (avatar !== null) await scope.environment.assets.remove(avatar)
  return { success_message: 'User deleted.' }
}

/** Answers the avatar whose file is to be removed. */
function removed(scope: UserScope): string | null {
  const { store } = scope
  const user = currentUser(scope)
  if (user.seeded === 1)
    throw new ApiError('publisherNeeded', `the service began with the publisher ${user.pub_fqdn}, which it needs`)
  trashAll(scope)
  if (user.avatar !== null) store.assets.remove(user.avatar)
  store.users.remove(user.id)
  return user.avatar
}

/** Others are told what vanishes from their maps; who is deleted is told nothing any more. */
function trashAll(scope: UserScope): void {
  const { store, user, now } = scope
  const dropped = store.vatoms.droppedOf(user.id).flatMap((id) => store.vatoms.byId(id) ?? [])
  store.vatoms.trashAll(user.id, timestamp(now))
  for (const before of dropped) {
    const after = store.vatoms.byId(before.id)
    if (after) tellMap(scope, 'Trash', before, after)
  }
}
