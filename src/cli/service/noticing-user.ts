import type { Client } from '../../client/client.ts'
import type { User } from '../../contract/api/user.ts'
import { type Store, unlessUnusable } from './config.ts'
import type { Credentials } from './saved.ts'
import { sessionAmong } from './stored-session.ts'
import type { NetworkTarget } from './target.ts'

/** A client that notices when the guest of a context has become a user, who signs in with an address and has an empty guest id. */
export function noticingUser(client: Client, target: NetworkTarget, credentials: Store<Credentials>): Client {
  const isGuest = async () => sessionAmong(await credentials.read(), target).guest === true
  const notice = async ({ properties }: User): Promise<void> => {
    if (properties.guest_id === '' && (await isGuest()))
      await credentials.update((all) => withoutGuest(all, target)).catch(unlessUnusable)
  }
  const noticed = async (user: User): Promise<User> => {
    await notice(user)
    return user
  }
  return {
    ...client,
    getProfile: async (input) => noticed(await client.getProfile(input)),
    updateProfile: async (input) => noticed(await client.updateProfile(input)),
    verifyUserToken: async (input) => {
      const verified = await client.verifyUserToken(input)
      if (await isGuest()) await client.getProfile({}).then(notice, () => {})
      return verified
    },
  }
}

function withoutGuest(all: Credentials, target: NetworkTarget): Credentials {
  const { guest, ...kept } = sessionAmong(all, target)
  return guest && target.name !== undefined ? { ...all, [target.name]: kept } : all
}
