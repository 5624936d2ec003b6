import type { Steps } from '../../store/slices.ts'
import type { UserRow, UserTokenRow } from '../../store/users.ts'
import type { Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { removeGuestId } from './guests.ts'
import { release } from './held-vatoms.ts'
import { knownUser, newUser } from './user.ts'
import { addressesOf, confirmToken, isProven, makeDefault, verifyToken } from './user-tokens.ts'

/**
 * The addresses of a user whose holder may have the account, the default one first: those that are proven to be the
 * user's, or every address as long as none is. Anybody can say that an address is theirs.
 */
export function recoveryTokens(moment: Moment, user: string): readonly UserTokenRow[] {
  const addresses = addressesOf(moment, user)
  const proven = addresses.filter(isProven)
  return proven.length > 0 ? proven : addresses
}

const mayRecover = (moment: Moment, token: UserTokenRow) =>
  recoveryTokens(moment, token.user_id).some(({ id }) => id === token.id)

/** Removes a password; a seeded user, who has the configured one until they set their own, has none from then on. */
function removePassword(moment: Moment, user: UserRow): void {
  const password = user.seeded === 1 ? '' : null
  moment.store.users.updateProfile({ ...user, password, when_modified: timestamp(moment.now) })
}

/**
 * The id of the user whom the holder of an address becomes with the pin that was sent to it. Whoever was signed in as
 * them is signed out, and neither the password nor the guest id is valid any more. If the account is proven to be somebody
 * else's, the address leaves it for a new user. Call it inside a write.
 */
export function* recover(moment: Moment, token: UserTokenRow): Steps<string> {
  if (!mayRecover(moment, token)) return yield* separate(moment, token)
  const id = token.user_id
  removePassword(moment, knownUser(moment, id))
  moment.store.sessions.endOthers(id)
  yield* verifyToken(moment, token)
  removeGuestId(moment, id)
  return id
}

/** Makes a new user of an address, and gives them what was held for it. */
function* separate(moment: Moment, token: UserTokenRow): Steps<string> {
  const { store, now } = moment
  const when_modified = timestamp(now)
  const user: UserRow = newUser(moment)
  store.users.insert(user)
  store.users.giveToken({ id: token.id, user_id: user.id, is_default: 1, when_modified })
  yield* release(moment, token.user_id, token, user.id)
  confirmToken(moment, { ...token, user_id: user.id, is_default: 1 })
  const [first] = store.users.tokensOf(token.user_id)
  if (first && token.is_default === 1) makeDefault(moment, first)
  return user.id
}
