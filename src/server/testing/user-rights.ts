import * as z from 'zod/v4'
import { ApiError } from '../../contract/api/errors.ts'
import type { User } from '../../contract/api/user.ts'
import { timestamp } from '../domain/clock.ts'
import { isDomainName, userRecord } from '../domain/users/user.ts'
import type { Environment } from '../environment.ts'
import { parseJsonBody, validated } from '../request/parse.ts'
import { bit } from '../store/table.ts'

const Rights = z.strictObject({
  pub_fqdn: z
    .string()
    .refine((name) => name === '' || isDomainName(name), { error: 'must be a domain name in lower case, or empty' })
    .optional(),
  is_admin: z.boolean().optional(),
  is_merchant: z.boolean().optional(),
  activated: z.boolean().optional(),
})

/** Makes a user an administrator, a merchant or activated: what the API itself has no operation for. Spec 2.1. */
export async function setRights(environment: Environment, id: string, body: string, baseUrl: string): Promise<User> {
  const { store, clock } = environment
  if (!store.users.byId(id)) throw new ApiError('notFound', 'no user has this id')
  const rights = validated(Rights, parseJsonBody(body), { spec: '2.1', errors: ['invalid'] })
  return await store.write(() => {
    const user = store.users.byId(id)
    if (!user) throw new ApiError('notFound', 'no user has this id')
    const changed = {
      ...user,
      pub_fqdn: rights.pub_fqdn ?? user.pub_fqdn,
      is_admin: rights.is_admin === undefined ? user.is_admin : bit(rights.is_admin),
      is_merchant: rights.is_merchant === undefined ? user.is_merchant : bit(rights.is_merchant),
      activated: rights.activated === undefined ? user.activated : bit(rights.activated),
      when_modified: timestamp(clock()),
    }
    store.users.updateRights(changed)
    return userRecord(changed, baseUrl)
  })
}
