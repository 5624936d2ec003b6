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

const defaultPassword = 'vatom-local'

/** A publisher, with the address that its administrator signs in with. */
export interface Publisher {
  readonly fqdn: string
  readonly email: string
}

/** The publishers that a service is started with. */
export interface Seed {
  /** The first publisher's administrator, as they are now. */
  readonly user: () => UserRow
  readonly fqdn: string
  readonly email: string
  readonly publishers: readonly Publisher[]
  /** The domain names of those that the database did not have before. */
  readonly added: readonly string[]
  /** The default password, which everybody knows, where the first publisher's administrator signs in with it. */
  readonly shownPassword: () => string | undefined
  /** The publishers of the database, named or not, that have the default password. */
  readonly withDefaultPassword: () => readonly string[]
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
  options: Wanted & Pick<ServiceOptions, 'password'>,
  now: Date,
): Promise<Seed> {
  const users = publishersOf(store, options)
  const given = users.filter((publisher) => isAskedFor(publisher, options) || !isTaken(store, publisher))
  for (const { fqdn, email } of given) check(fqdn, email)
  const added = users.map(({ fqdn }) => fqdn).filter((name) => store.users.seededFor(name) === undefined)
  if (!given.every(({ fqdn, email }) => isSeeded(store, fqdn, email)))
    await store.write(() => {
      for (const { fqdn, email } of given) ensure({ store, now }, fqdn, email)
    })
  const [{ fqdn, email }] = users
  const first = store.users.seededFor(fqdn)
  let hash: Promise<string> | undefined
  const user = () => {
    // A restored snapshot may have another user for this publisher.
    const found = (first && store.users.byId(first.id)) ?? store.users.seededFor(fqdn)
    if (found) return found
    throw new Error(`the publisher ${fqdn} no longer exists`)
  }
  const hasDefaultPassword = ({ password }: UserRow) => options.password === undefined && password === null
  return {
    user,
    fqdn,
    email,
    publishers: users,
    added,
    shownPassword: () => (hasDefaultPassword(user()) ? defaultPassword : undefined),
    withDefaultPassword: () =>
      store.users
        .seeded()
        .filter(hasDefaultPassword)
        .map(({ pub_fqdn }) => pub_fqdn),
    passwordHash: () => {
      hash ??= passwordsOf(costs.inMemory).hash(options.password ?? defaultPassword)
      return hash
    },
  }
}

type Wanted = Pick<ServiceOptions, 'publishers' | 'email'>

/**
 * The publishers that are named; without any, those that the database was made with, the oldest first; for a new one the
 * default. They have the addresses that they were given last; the first has the one that is given.
 */
function publishersOf(store: Store, { publishers, email }: Wanted): readonly [Publisher, ...Publisher[]] {
  const named = publishers?.length ? [...new Set(publishers)] : knownPublishers(store)
  const [first = defaults.publisher, ...others] = named
  const withEmail = (fqdn: string, given = store.settings.read(seededEmail(fqdn))) => ({
    fqdn,
    email: emailOf(fqdn, given),
  })
  return [withEmail(first, email), ...others.map((fqdn) => withEmail(fqdn))]
}

/** Whether the address that a publisher had is somebody else's by now. */
function isTaken(store: Store, { fqdn, email }: Publisher): boolean {
  const user = store.users.seededFor(fqdn)
  const holder = store.users.byToken('email', email)
  return user !== undefined && holder !== undefined && holder.id !== user.id
}

/** Whether a publisher, or its address, is named: another one of a database is left without an address that is taken. */
const isAskedFor = ({ fqdn, email: own }: Publisher, { publishers = [], email }: Wanted): boolean =>
  publishers.includes(fqdn) || (email !== undefined && own === emailOf(fqdn, email))

const knownPublishers = (store: Store): string[] =>
  [...new Set(store.users.seeded().map(({ pub_fqdn }) => pub_fqdn))].filter((fqdn) => fqdn !== '')

const emailOf = (fqdn: string, email = `publisher@${fqdn}`) => normalToken('email', email)

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
