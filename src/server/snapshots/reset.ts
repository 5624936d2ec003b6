import type { Contents } from '../../contract/api/snapshot.ts'
import { publishReplaced } from '../domain/events.ts'
import { addressOf } from '../domain/users/publisher-address.ts'
import { newUser } from '../domain/users/user.ts'
import type { Store } from '../store/store.ts'
import type { UserRow, UserTokenRow } from '../store/users.ts'
import type { ServiceState } from './copy.ts'

/**
 * Deletes everything but the service's first publishers, which become as new; answers how much. Throws `busy`, and
 * `dataChanged` if the data is not of the expected version.
 */
export async function reset(service: ServiceState, expected?: string): Promise<Contents> {
  const { store, assets } = service
  await assets.tidy()
  const deleted = await store.empty(() => publishersOf(service), expected)
  await assets.removeUnrecorded()
  return deleted
}

/** Reads the first publishers; returns a function that stores them as new, with their ids, each with one user token. */
function publishersOf({ store, clock }: ServiceState): () => void {
  const at = clock()
  const publishers = store.users.seeded().map((user) => ({ user, token: tokenOf(store, user) }))
  return () => {
    publishReplaced({ store, now: at })
    for (const { user, token } of publishers) {
      const { id, pub_fqdn } = user
      store.users.insert({ ...newUser({ store, now: at }), id, pub_fqdn, seeded: 1, is_admin: 1, activated: 1 })
      if (token) store.users.insertToken({ ...token, confirmed: 1, is_default: 1, when_modified: token.when_created })
    }
  }
}

/** The token of the address that a publisher has after a start; the oldest of one that has no such address. */
function tokenOf(store: Store, user: UserRow): UserTokenRow | undefined {
  const tokens = store.users.tokensOf(user.id)
  const address = addressOf(store, user.pub_fqdn, user)
  return tokens.find(({ token_type, token }) => token_type === 'email' && token === address) ?? oldest(tokens)
}

const oldest = (tokens: readonly UserTokenRow[]): UserTokenRow | undefined =>
  [...tokens].sort((a, b) => Date.parse(a.when_created) - Date.parse(b.when_created))[0]
