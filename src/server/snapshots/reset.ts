import type { Contents } from '../../contract/api/snapshot.ts'
import { publishReplaced } from '../domain/events.ts'
import { newUser } from '../domain/users/user.ts'
import type { UserTokenRow } from '../store/users.ts'
import type { ServiceState } from './copy.ts'

/** Deletes everything but the service's first publishers, which become as new; answers how much. Throws `busy`. */
export async function reset(service: ServiceState): Promise<Contents> {
  const { store, assets } = service
  await assets.tidy()
  const deleted = store.contents()
  await store.empty(() => publishersOf(service))
  service.logins.failures.clear()
  await assets.removeUnrecorded()
  return deleted
}

/** Reads the first publishers; returns a function that stores them as new, with their ids and first user tokens. */
function publishersOf({ store, clock }: ServiceState): () => void {
  const at = clock()
  const publishers = store.users.seeded().map((user) => ({ user, token: oldest(store.users.tokensOf(user.id)) }))
  return () => {
    publishReplaced({ store, now: at })
    for (const { user, token } of publishers) {
      const { id, pub_fqdn } = user
      store.users.insert({ ...newUser({ store, now: at }), id, pub_fqdn, seeded: 1, is_admin: 1, activated: 1 })
      if (token) store.users.insertToken({ ...token, confirmed: 1, is_default: 1, when_modified: token.when_created })
    }
  }
}

const oldest = (tokens: readonly UserTokenRow[]): UserTokenRow | undefined =>
  [...tokens].sort((a, b) => Date.parse(a.when_created) - Date.parse(b.when_created))[0]
