import { ApiError } from '../contract/api/errors.ts'
import { isEmail } from '../contract/api/user-token-formats.ts'
import { defaults } from '../contract/defaults.ts'
import { isDomainName } from '../contract/schema/domain-name.ts'
import { costs, passwordsOf } from './auth/passwords.ts'
import type { Moment } from './domain/caller.ts'
import { addressOf, emailOf, normalEmail, seededEmail } from './domain/users/publisher-address.ts'
import { newUser } from './domain/users/user.ts'
import { addToken, confirmToken } from './domain/users/user-tokens.ts'
import type { ServiceOptions } from './service.ts'
import { ServiceFailure } from './service-failure.ts'
import type { Store } from './store/store.ts'
import type { UserRow } from './store/users.ts'

const defaultPassword = 'vatom-local'

/** The password of publishers who have set none; the default one is known to everybody, also where it is given. */
export function configuredPassword({ password = defaultPassword }: Pick<ServiceOptions, 'password'>) {
  return { password, isDefault: password === defaultPassword }
}

/** A publisher, with the address that its administrator signs in with. */
export interface Publisher {
  readonly fqdn: string
  readonly email: string
}

/** The publishers that a service is started with. */
export interface Seed {
  /** The first publisher's administrator, as they are now. Throws `publisherMissing` where a snapshot without them was loaded. */
  readonly user: () => UserRow
  readonly fqdn: string
  readonly email: string
  readonly publishers: readonly Publisher[]
  /** The domain names of those that the database did not have before. */
  readonly added: readonly string[]
  /** The default password, which everybody knows, where the first publisher's administrator signs in with it. */
  readonly shownPassword: () => string | undefined
  /** The publishers of the database, named or not, that have the default password: without a domain name, their addresses. */
  readonly withDefaultPassword: () => readonly string[]
  /** Those that the configured password is not valid for, in the same way: they have changed or removed theirs. */
  readonly withOwnPassword: () => readonly string[]
  /** The configured password's hash, made when it is first asked for; it is cheap, as it is never stored. */
  readonly passwordHash: () => Promise<string>
}

/**
 * Adds an administrator for every publisher that has none. A seeded user has the configured password until they set one
 * of their own. Existing users stay as they are, but for an address that they are given. Throws `publisher_invalid`,
 * `email_invalid` or `email_taken`.
 */
export async function seedPublishers(
  store: Store,
  options: Wanted & Pick<ServiceOptions, 'password'>,
  now: Date,
): Promise<Seed> {
  const users = publishersOf(store, options)
  for (const publisher of users) check(publisher)
  const added = users.map(({ fqdn }) => fqdn).filter((name) => store.users.seededFor(name) === undefined)
  const changing = users.filter((publisher) => !isSettled(store, publisher, options))
  if (changing.length > 0)
    await store.write(() => {
      for (const publisher of changing) ensure({ store, now }, publisher)
    })
  const [{ fqdn, email }] = users
  const first = store.users.seededFor(fqdn)
  let hash: Promise<string> | undefined
  const user = () => {
    // A restored snapshot may have another user for this publisher.
    const found = (first && store.users.byId(first.id)) ?? store.users.seededFor(fqdn)
    if (found) return found
    throw new ApiError(
      'publisherMissing',
      `the publisher ${fqdn} is not among the data that was loaded: start the service again, which adds it`,
    )
  }
  const configured = configuredPassword(options)
  const hasDefaultPassword = ({ password }: UserRow) => configured.isDefault && password === null
  const namesOf = (isMeant: (user: UserRow) => boolean) =>
    store.users
      .seeded()
      .filter(isMeant)
      .map((user) => user.pub_fqdn || (emailOf(store, user) ?? user.id))
  return {
    user,
    fqdn,
    email,
    publishers: users,
    added,
    shownPassword: () => (hasDefaultPassword(user()) ? defaultPassword : undefined),
    withDefaultPassword: () => namesOf(hasDefaultPassword),
    withOwnPassword: () => namesOf(({ password }) => password !== null),
    passwordHash: () => {
      hash ??= passwordsOf(costs.inMemory).hash(configured.password)
      return hash
    },
  }
}

type Wanted = Pick<ServiceOptions, 'publishers' | 'email'>

/**
 * The publishers that are named; without any, those that the database was made with, in that order; for a new one the
 * default.
 */
function publishersOf(store: Store, { publishers, email }: Wanted): readonly [Publisher, ...Publisher[]] {
  const named = publishers?.length ? [...new Set(publishers)] : knownPublishers(store)
  const [first = defaults.publisher, ...others] = named
  return [
    { fqdn: first, email: email === undefined ? addressOf(store, first) : normalEmail(email) },
    ...others.map((fqdn) => ({ fqdn, email: addressOf(store, fqdn) })),
  ]
}

const knownPublishers = (store: Store): string[] =>
  [...new Set(store.users.seeded().map(({ pub_fqdn }) => pub_fqdn))].filter((fqdn) => fqdn !== '')

function check({ fqdn, email }: Publisher): void {
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

/** Whether a publisher has its address, and that is stored as given where it is named now. */
function isSettled(store: Store, { fqdn, email }: Publisher, { email: named }: Wanted): boolean {
  const user = store.users.seededFor(fqdn)
  const holder = store.users.byToken('email', email)
  const isNamed = named !== undefined && normalEmail(named) === email
  if (user === undefined || holder?.id !== user.id) return false
  return !isNamed || store.settings.read(seededEmail(fqdn)) === email
}

function ensure(moment: Moment, { fqdn, email }: Publisher): void {
  const { store } = moment
  const user = store.users.seededFor(fqdn) ?? create(moment, fqdn)
  giveEmail(moment, user, { fqdn, email })
  store.settings.write(seededEmail(fqdn), email)
}

function giveEmail(moment: Moment, user: UserRow, { fqdn, email }: Publisher): void {
  const { store } = moment
  const holder = store.users.byToken('email', email)
  if (holder?.id === user.id) return
  if (holder)
    throw new ServiceFailure(
      'email_taken',
      `${email}, the address of the publisher ${fqdn}, belongs to another user`,
      `name another one: --publisher ${fqdn} --email ADDRESS`,
    )
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
