import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { senderAt } from '../store/senders.ts'
import { Turns, type Waiter } from '../store/turns.ts'

const blockSize = 8
const keyBytes = 32

/** Who sends a password, and where from. */
interface Asking {
  readonly address: string
  readonly isGone: () => boolean
}

/** What a password is sent for: whoever signs in, or registers, does not wait for all who change theirs. */
type Purpose = 'sign in' | 'change'

/**
 * The turn of a password of a user, or of one that is new: addresses take turns, then what passwords are sent for, and then
 * users. Every second turn is a seeded publisher's, if one waits.
 */
export function passwordTurn(
  purpose: Purpose,
  { address, isGone }: Asking,
  user?: { readonly id: string; readonly seeded: number },
): Waiter {
  const { line, isFirst } = senderAt(address, user)
  const [place = '', ...within] = line
  return { line: [place, purpose, ...within], isFirst, isGone }
}

const ofProcess: Waiter = { line: ['this process'] }

/** Hashes and checks passwords with scrypt, one or two at once. All reject with `busy` when too many wait. */
export interface Passwords {
  /** `scrypt$<N>$<salt>$<key>`. */
  hash(password: string, waiter?: Waiter): Promise<string>
  /** Matches no password; checking one takes as long as for a hash that is stored. */
  readonly unmatched: string
  /** Whether a password is the hashed one; takes the same time for every wrong one. */
  matches(password: string, stored: string, waiter: Waiter): Promise<boolean>
  /** The key that is made of the configured password, which takes as long as a hash and does not wait for those of strangers. */
  key(password: string, salt: Buffer): Promise<Buffer>
}

/** scrypt's N for hashes that are stored, which somebody may read; and for those that only this process has. */
export const costs = { stored: 2 ** 17, inMemory: 2 ** 4 } as const

/** The key that scrypt makes of a password, at once; `cost` is its N. */
const keyOf = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password, salt, keyBytes, { N: cost, r: blockSize, maxmem: 256 * cost * blockSize }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

/** `cost` is scrypt's N, a power of two; `memory` the bytes that the service may take. */
export function passwordsOf(cost: number, memory = Number.POSITIVE_INFINITY): Passwords {
  const turns = new Turns({
    atOnce: atOnce(cost, memory),
    waiting: limits.passwordsWaiting,
    refusal: 'too many passwords at once',
  })
  const derive = (password: string, salt: Buffer, n: number, waiter: Waiter) =>
    turns.take(() => keyOf(password, salt, n), waiter)
  return {
    unmatched: `scrypt$${cost}$$`,
    hash: async (password, waiter = ofProcess) => {
      const salt = randomBytes(16)
      const key = await derive(password, salt, cost, waiter)
      return ['scrypt', cost, salt.toString('base64'), key.toString('base64')].join('$')
    },
    matches: async (password, stored, waiter) => {
      const [, n, salt, key] = stored.split('$')
      const known = Buffer.from(key ?? '', 'base64')
      const found = await derive(password, Buffer.from(salt ?? '', 'base64'), Number(n), waiter)
      return known.length === found.length && timingSafeEqual(known, found)
    },
    key: (password, salt) => derive(password, salt, cost, { ...ofProcess, isFirst: true }),
  }
}

/** How many are hashed at once: as many as take half of the memory together, but at least one. */
const atOnce = (cost: number, memory: number): number =>
  Math.max(1, Math.min(limits.passwordsAtOnce, Math.floor(memory / 2 / (128 * blockSize * cost))))
