import type { Client } from '../../client/client.ts'
import type { User } from '../../contract/api/user.ts'
import { type Store, unlessUnusable } from './config.ts'
import type { Credentials } from './saved.ts'

/** A client that notices when the guest of a context has become a user, who signs in with an address and has an empty guest id. */
export function noticingUser(client: Client, name: string, credentials: Store<Credentials>): Client {
  const notice = async ({ properties }: User): Promise<void> => {
    if (properties.guest_id === '' && (await credentials.read())[name]?.guest)
      await credentials.update((all) => withoutGuest(all, name)).catch(unlessUnusable)
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
      if ((await credentials.read())[name]?.guest) await client.getProfile({}).then(notice, () => {})
      return verified
    },
  }
}

function withoutGuest(all: Credentials, name: string): Credentials {
  const { guest: _, ...kept } = all[name] ?? {}
  return { ...all, [name]: kept }
}
