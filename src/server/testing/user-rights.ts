import { parseJsonBody } from '../../contract/api/json-body.ts'
import { Rights } from '../../contract/api/test-users.ts'
import type { User } from '../../contract/api/user.ts'
import { timestamp } from '../domain/clock.ts'
import { knownUser, userRecord } from '../domain/users/user.ts'
import { bitOr } from '../store/table.ts'
import { validated } from '../valid-input.ts'
import type { LocalRequest } from './local-request.ts'

/** Changes the rights of a user, for which the API has no operation. Throws `invalid` and `notFound`. Spec 2.1. */
export async function setRights({ service: { store, clock }, id, body, baseUrl }: LocalRequest): Promise<User> {
  knownUser({ store }, id)
  const rights = validated(Rights(), parseJsonBody(body))
  return await store.write(() => {
    const user = knownUser({ store }, id)
    const changed = {
      ...user,
      pub_fqdn: rights.pub_fqdn ?? user.pub_fqdn,
      is_admin: bitOr(user.is_admin, rights.is_admin),
      is_merchant: bitOr(user.is_merchant, rights.is_merchant),
      activated: bitOr(user.activated, rights.activated),
      when_modified: timestamp(clock()),
    }
    store.users.updateRights(changed)
    return userRecord(changed, baseUrl)
  })
}
