import { api } from '../../../contract/api/api.ts'
import { ApiError } from '../../../contract/api/errors.ts'
import type { Files } from '../../../contract/api/wire.ts'
import { avatarTypes } from '../../../contract/values.ts'
import { type Received, receiveAll } from '../../assets/receive.ts'
import { stored } from '../../assets/storage.ts'
import { currentUser } from '../../auth/current-user.ts'
import { timestamp } from '../../clock.ts'
import type { UserScope } from '../../environment.ts'
import type { Handler } from '../handlers.ts'

/** Keeps an image as the caller's avatar, in the place of the one they had. Spec 2.1. */
export const uploadAvatar: Handler<'uploadAvatar'> = async (scope, { files }) => {
  const before = await stored(upload(scope, files))
  if (before !== null) await scope.environment.assets.remove(before)
  return { success_message: 'Avatar uploaded.' }
}

/** Answers the avatar that was there before. */
async function upload(scope: UserScope, files: Files): Promise<string | null> {
  const { store } = scope
  const { assets } = scope.environment
  await assets.tidy()
  const received = await receiveAll(assets, files, api.uploadAvatar.upload)
  try {
    for (const { content_type } of received) checkType(content_type)
    return await store.write(() => {
      const before = replace(scope, received)
      assets.keep(received)
      return before
    })
  } catch (error) {
    assets.discard(received)
    assets.untidy()
    throw error
  }
}

function checkType(type: string): void {
  if ((avatarTypes as readonly string[]).includes(type)) return
  throw new ApiError(
    'avatarRefused',
    `an avatar is a PNG, JPEG, GIF or WebP image; the content of this file is ${type}`,
  )
}

/** The file is an asset of nobody's: no publisher lists or deletes it. */
function replace(scope: UserScope, [image]: readonly Received[]): string | null {
  const { store, now } = scope
  const user = currentUser(scope)
  if (!image) return user.avatar
  const { path: _, ...file } = image
  const when = timestamp(now)
  store.assets.insert({ ...file, publisher_fqdn: '', created_by: user.id, when_created: when })
  store.users.updateProfile({ ...user, avatar: image.id, when_modified: when })
  if (user.avatar !== null) store.assets.remove(user.avatar)
  return user.avatar
}
