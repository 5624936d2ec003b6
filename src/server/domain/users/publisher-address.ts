import { normalToken } from '../../../contract/api/user-token-formats.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow } from '../../store/users.ts'

type Known = Pick<Store, 'users' | 'settings'>

/**
 * The address of a publisher for which none is named: the one that it was given last; where it was given none, or that is
 * another user's by now, its own; for one without an address, one of its name that nobody else has.
 */
export function addressOf({ users, settings }: Known, fqdn: string, user = users.seededFor(fqdn)): string {
  const last = settings.read(seededEmail(fqdn))
  const holder = last === undefined ? undefined : users.byToken('email', last)
  if (last !== undefined && (holder === undefined || holder.id === user?.id)) return last
  const own = user && emailOf({ users }, user)
  return own ?? freeAddress(users, fqdn, user)
}

/** The first address of a publisher's name that no other user has; for a new publisher, the first. */
function freeAddress(users: Known['users'], fqdn: string, user: UserRow | undefined): string {
  for (let at = 1; ; at++) {
    const address = normalEmail(`publisher${at === 1 ? '' : at}@${fqdn}`)
    if (user === undefined || users.byToken('email', address) === undefined) return address
  }
}

/** The first e-mail address that a user signs in with. */
export const emailOf = ({ users }: Pick<Known, 'users'>, { id }: UserRow): string | undefined =>
  users.tokensOf(id).find(({ token_type }) => token_type === 'email')?.token

/** An e-mail address as it is stored. */
export const normalEmail = (email: string): string => normalToken('email', email)

/** The setting that has the address which a publisher was given last. */
export const seededEmail = (fqdn: string): string => `seeded_email ${fqdn}`
