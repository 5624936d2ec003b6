import { ApiError } from '../../../contract/api/errors.ts'
import type { UserTokenRecord } from '../../../contract/api/user-token.ts'
import { isReachable, type TokenKey } from '../../../contract/api/user-token-formats.ts'
import type { Steps } from '../../store/slices.ts'
import { bit } from '../../store/table.ts'
import type { UserTokenRow } from '../../store/users.ts'
import type { ByUser, Moment } from '../caller.ts'
import { timestamp } from '../clock.ts'
import { metaOf } from '../records/meta.ts'
import { issueCode } from './codes.ts'
import { release } from './held-vatoms.ts'

/** A new token, and the id of its user. */
interface NewToken extends TokenKey {
  readonly user: string
  readonly isDefault: boolean
  /** Whether the user says that it is theirs. */
  readonly isClaimed: boolean
}

/** Adds an unconfirmed token to a user. Call it inside a write. Throws `tokenTaken` if somebody has it. */
export function addToken(
  { store, now }: Moment,
  { user, token_type, token, isDefault, isClaimed }: NewToken,
): UserTokenRow {
  if (store.users.token(token_type, token)) throw new ApiError('tokenTaken', `${token} is already in use`)
  const when = timestamp(now)
  const row: UserTokenRow = {
    id: store.random.uuid(),
    user_id: user,
    token_type,
    token,
    confirmed: 0,
    claimed: bit(isClaimed),
    is_default: bit(isDefault),
    when_created: when,
    when_modified: when,
  }
  store.users.insertToken(row)
  return row
}

/** The tokens of a user that a message can be sent to, the default one first. */
export const addressesOf = ({ store }: Pick<Moment, 'store'>, user: string): UserTokenRow[] =>
  store.users.tokensOf(user).filter(({ token_type }) => isReachable(token_type))

/** Whether an address is known to be its user's: it was verified, or the user was made for it and it was sent the guest id. */
export const isProven = ({ confirmed, claimed }: UserTokenRow): boolean => confirmed === 1 || claimed === 0

/** Sends a code that verifies a token to it, if a message can be sent to it, and none was within the last minute. Call it inside a write. */
export function askForVerification(moment: Moment, row: UserTokenRow): void {
  if (isReachable(row.token_type)) issueCode(moment, row, 'verification')
}

/** Confirms a token, which activates its user. Call it inside a write. Spec 2.1. */
export function confirmToken(moment: Moment, row: UserTokenRow): void {
  const { store, now } = moment
  const when_modified = timestamp(now)
  if (row.confirmed === 0) store.users.changeToken({ ...row, confirmed: 1, when_modified })
  store.codes.removeAll({ token_id: row.id, kind: 'verification' })
  const user = store.users.byId(row.user_id)
  if (user && user.activated === 0) store.users.updateRights({ ...user, activated: 1, when_modified })
}

/** The same for a token that something can be held for: its user has that from then on. */
export function* verifyToken(moment: Moment, row: UserTokenRow): Steps<void> {
  confirmToken(moment, row)
  yield* release(moment, row.user_id, row, row.user_id)
}

/** Makes a token of a user the only default one. Call it inside a write. */
export function makeDefault({ store, now }: Moment, row: UserTokenRow): void {
  for (const other of store.users.tokensOf(row.user_id)) {
    const is_default = bit(other.id === row.id)
    if (other.is_default !== is_default)
      store.users.changeToken({ ...other, is_default, when_modified: timestamp(now) })
  }
}

/** The caller's token of an id. Throws `unknownUserToken`. */
export function ownToken({ store, user }: ByUser, id: string): UserTokenRow {
  const row = store.users.tokensOf(user.id).find((token) => token.id === id)
  if (!row) throw new ApiError('unknownUserToken')
  return row
}

/** A token as it is answered; without a code, it expired when the token was last changed. */
export function tokenRecord({ store }: Moment, row: UserTokenRow, appId: string): UserTokenRecord {
  const [code] = store.codes.newestFirst({ token_id: row.id, kind: 'verification' })
  return {
    id: row.id,
    meta: metaOf(row, row.user_id, 'blockv::user_token'),
    properties: {
      app_id: appId,
      user_id: row.user_id,
      token_type: row.token_type,
      token: row.token,
      confirmed: row.confirmed === 1,
      is_default: row.is_default === 1,
      verify_code_expires: code ? timestamp(new Date(code.expires_at * 1000)) : row.when_modified,
    },
  }
}
