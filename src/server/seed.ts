import { isEmail, normalToken } from '../contract/api/user-token-formats.ts'
import { defaults } from '../contract/defaults.ts'
import { isDomainName } from '../contract/schema/domain-name.ts'
import { costs, passwordsOf } from './auth/passwords.ts'
import type { Moment } from './domain/caller.ts'
import { newUser } from './domain/users/user.ts'
import { addToken, confirmToken } from './domain/users/user-tokens.ts'
import type { ServiceOptions } from './service.ts'
import { ServiceFailure } from './service-failure.ts'
import type { Store } from './store/store.ts'
import type { UserRow } from './store/users.ts'

export const defaultPassword = 'vatom-local'

/** The publishers that a service is started with. */
export interface Seed {
  /** The first publisher's administrator, as they are now. */
  readonly user: () => UserRow
  readonly fqdn: string
  readonly email: string
  /** Every publisher, with the address that its administrator signs in with. */
  readonly publishers: readonly { readonly fqdn: string; readonly email: string }[]
  /** Whether a seeded user signs in with the default password, which everybody knows. */
  readonly usesDefaultPassword: () => boolean
  /** The configured password's hash, made when it is first asked for; it is cheap, as it is never stored. */
  readonly passwordHash: () => Promise<string>
}

/**
 * Adds an administrator for every publisher that has none. A seeded user has the configured password until they set one
 * of their own. Existing users stay as they are. Throws `publisher_invalid`,
 * `email_invalid` or `email_taken`.
 */
export async function seedPublishers(
  store: Store,
  options: Pick<ServiceOptions, 'publishers' | 'email' | 'password'>,
  now: Date,
): Promise<Seed> {
  const fqdns = options.publishers?.length ? [...new Set(options.publishers)] : [defaults.publisher]
  const users = fqdns.map((fqdn, index) => ({ fqdn, email: emailOf(fqdn, index === 0 ? options.email : undefined) }))
  for (const { fqdn, email } of users) check(fqdn, email)
  if (!users.every(({ fqdn, email }) => isSeeded(store, fqdn, email)))
    await store.write(() => {
      for (const { fqdn, email } of users) ensure({ store, now }, fqdn, email)
    })
  const fqdn = fqdns[0] ?? defaults.publisher
  const first = store.users.seededFor(fqdn)
  let hash: Promise<string> | undefined
  return {
    user: () => {
      // A restored snapshot may have another user for this publisher.
      const user = (first && store.users.byId(first.id)) ?? store.users.seededFor(fqdn)
      if (user) return user
      throw new Error(`the publisher ${fqdn} no longer exists`)
    },
    fqdn,
    email: emailOf(fqdn, options.email),
    publishers: users,
    usesDefaultPassword: () =>
      options.password === undefined && fqdns.some((name) => store.users.seededFor(name)?.password === null),
    passwordHash: () => {
      hash ??= passwordsOf(costs.inMemory).hash(options.password ?? defaultPassword)
      return hash
    },
  }
}

const emailOf = (fqdn: string, email: string | undefined) => normalToken('email', email ?? `publisher@${fqdn}`)

function check(fqdn: string, email: string): void {
  if (!isDomainName(fqdn))
    throw new ServiceFailure(
      'publisher_invalid',
      `${JSON.stringify(fqdn)} is not a domain name in lower case`,
      'name the publisher by a domain such as acme.example',
    )
  if (!isEmail(email))
    throw new ServiceFailure(
      'email_invalid',
      `${JSON.stringify(email)} is not an e-mail address`,
      'write one such as publisher@acme.example',
    )
}

function isSeeded(store: Store, fqdn: string, email: string): boolean {
  const user = store.users.seededFor(fqdn)
  const isTheirs = user !== undefined && store.users.byToken('email', email)?.id === user.id
  return isTheirs && store.settings.read(seededEmail(fqdn)) === email
}

/** The setting that has the address which a publisher was given last. */
const seededEmail = (fqdn: string) => `seeded_email ${fqdn}`

function ensure(moment: Moment, fqdn: string, email: string): void {
  const { store } = moment
  const user = store.users.seededFor(fqdn) ?? create(moment, fqdn)
  giveEmail(moment, user, { fqdn, email })
  store.settings.write(seededEmail(fqdn), email)
}

function giveEmail(
  moment: Moment,
  user: UserRow,
  { fqdn, email }: { readonly fqdn: string; readonly email: string },
): void {
  const { store } = moment
  const holder = store.users.byToken('email', email)
  if (holder?.id === user.id) return
  if (holder)
    throw new ServiceFailure('email_taken', `${email} belongs to another user`, 'choose another e-mail address')
  const tokens = store.users.tokensOf(user.id)
  const [token] = tokens
  const given = store.settings.read(seededEmail(fqdn)) ?? token?.token
  // Any other address is one that the user added.
  if (tokens.length === 1 && token?.token_type === 'email' && token.token === given)
    store.users.moveToken(token.id, email)
  else {
    const key = { token_type: 'email', token: email }
    confirmToken(moment, addToken(moment, { ...key, user: user.id, isDefault: tokens.length === 0, isClaimed: true }))
  }
}

function create(moment: Moment, fqdn: string): UserRow {
  const user: UserRow = { ...newUser(moment), seeded: 1, pub_fqdn: fqdn, is_admin: 1, activated: 1 }
  moment.store.users.insert(user)
  return user
}
