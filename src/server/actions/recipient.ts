import { errorAt } from '../../contract/api/errors.ts'
import { checkToken, normalToken } from '../../contract/api/user-token-formats.ts'
import { warning } from '../../contract/api/warnings.ts'
import { recipientKeys } from '../../contract/kinds/standard-actions.ts'
import { recipientGuest } from '../domain/users/guests.ts'
import { hold } from '../domain/users/held-vatoms.ts'
import { isProven } from '../domain/users/user-tokens.ts'
import type { Steps } from '../store/slices.ts'
import type { UserTokenRow } from '../store/users.ts'
import type { Handover } from '../store/vatoms/vatom-life.ts'
import type { VatomRow } from '../store/vatoms/vatoms.ts'
import type { Run } from './reactor.ts'
import { handOver } from './vatom-change.ts'

interface Named {
  readonly key: string
  readonly type: (typeof recipientKeys)[keyof typeof recipientKeys]
  readonly value: string
}

/** A user whom a request names, and the key by which it does. */
export interface Recipient {
  readonly id: string
  readonly key: string
  /** The address by which it does, if it is not known to be the user's. */
  readonly claim: UserTokenRow | undefined
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The user whom `new.owner.*` names; undefined if the request has no such key. For an unknown token a guest is made, if
 * the action is set to do so. Call it inside a write. Throws `invalid`, `invalidEmail`, `invalidPhone` or
 * `unknownRecipient`.
 */
export function namedRecipient(run: Run): Recipient | undefined {
  const named = namedIn(run.input)
  if (!named) return undefined
  const { key } = named
  return named.type === 'id' ? { id: knownId(run, named), key, claim: undefined } : { ...knownToken(run, named), key }
}

/** The same, for requests that must name a recipient. */
export function recipientOf(run: Run): Recipient {
  const recipient = namedRecipient(run)
  if (recipient) return recipient
  const keys = Object.keys(recipientKeys)
  throw errorAt(keys[0] ?? '', 'invalid', `give the recipient: one of ${keys.join(', ')}`)
}

/**
 * Hands the caller's vAtom over to a recipient, with other built-in properties, and holds it there for an address that is not
 * known to be theirs.
 */
export function* sendTo(run: Run, recipient: Recipient, extra: Handover = {}): Steps<void> {
  yield* handOver(run, recipient.id, { transferred_by: run.scope.user.id, ...extra })
  yield* holdForClaim(run, recipient, run.vatom)
}

/** Holds a vAtom that was sent to an address of its new owner which is not known to be theirs. */
export function* holdForClaim({ scope }: Run, { claim, key }: Recipient, vatom: VatomRow): Steps<void> {
  if (!claim) return
  yield* hold(scope, claim, vatom, key)
  const message = `${claim.token} is not verified: its user cannot use the vAtom until it is`
  scope.warn(warning('held', key, message, vatom.id))
}

function namedIn(input: Run['input']): Named | undefined {
  const given = Object.entries(recipientKeys).filter(([key]) => input[key] !== undefined)
  const [first, second] = given
  if (!first) return undefined
  const [key, type] = first
  if (second) throw errorAt(second[0], 'invalid', `give only one recipient: ${key} is already given`)
  const value = input[key]
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.trim() === '') throw errorAt(key, 'invalid', `${key} must be a text`)
  // One of the mobile SDKs sends an id by the key of an e-mail address.
  return { key, type: uuid.test(text) ? 'id' : type, value: text }
}

function knownId({ scope }: Run, { key, value }: Named): string {
  const user = scope.store.users.byId(value.toLowerCase())
  if (user) return user.id
  throw errorAt(key, 'unknownRecipient', `no user has the id ${value}`)
}

function knownToken({ scope, config }: Run, { key, type, value }: Named): Pick<Recipient, 'id' | 'claim'> {
  const token = normalToken(type, value)
  checkToken({ token_type: type, token }, key, value)
  const known = scope.store.users.token(type, token)
  if (known) return { id: known.user_id, claim: isProven(known) ? undefined : known }
  if (config().auto_create_non_existing_recipient === true) {
    const id = recipientGuest(scope, { token_type: type, token }, key)
    scope.warn(
      warning(
        'guest-made',
        key,
        `${token} is no user's: this makes a guest, who signs in with the guest id sent there`,
      ),
    )
    return { id, claim: undefined }
  }
  throw errorAt(
    key,
    'unknownRecipient',
    `no user has ${token}, and the config of the action does not have auto_create_non_existing_recipient: true`,
  )
}
