import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { Turns } from '../work-queue.ts'

const blockSize = 8
const keyBytes = 32

/** What a password is for: earlier ones have their turn first, and each of them waits with its like alone. */
const purposes = ['publisher', 'login', 'setting'] as const
type Purpose = (typeof purposes)[number]

/** Hashes and checks passwords with scrypt, one or two at once. All reject with `busy` when too many wait. */
export interface Passwords {
  /** `scrypt$<N>$<salt>$<key>`. */
  hash(password: string, purpose: Purpose): Promise<string>
  /** Matches no password; checking one takes as long as for a hash that is stored. */
  readonly unmatched: string
  /** Whether a password is the hashed one; takes the same time for every wrong one. */
  matches(password: string, stored: string, purpose: Purpose): Promise<boolean>
}

/** scrypt's N for hashes that are stored, which somebody may read; and for those that only this process has. */
export const costs = { stored: 2 ** 17, inMemory: 2 ** 4 } as const

/** `cost` is scrypt's N, a power of two; `memory` the bytes that the service may take. */
export function passwordsOf(cost: number, memory = Number.POSITIVE_INFINITY): Passwords {
  const turns = new Turns(atOnce(cost, memory), limits.passwordsWaiting, 'too many passwords at once')
  const derive = (password: string, salt: Buffer, n: number, purpose: Purpose) =>
    turns.take(
      () =>
        new Promise<Buffer>((resolve, reject) =>
          scrypt(password, salt, keyBytes, { N: n, r: blockSize, maxmem: 256 * n * blockSize }, (error, key) =>
            error ? reject(error) : resolve(key),
          ),
        ),
      purposes.indexOf(purpose),
    )
  return {
    unmatched: `scrypt$${cost}$$`,
    hash: async (password, purpose) => {
      const salt = randomBytes(16)
      const key = await derive(password, salt, cost, purpose)
      return ['scrypt', cost, salt.toString('base64'), key.toString('base64')].join('$')
    },
    matches: async (password, stored, purpose) => {
      const [, n, salt, key] = stored.split('$')
      const known = Buffer.from(key ?? '', 'base64')
      const found = await derive(password, Buffer.from(salt ?? '', 'base64'), Number(n), purpose)
      return known.length === found.length && timingSafeEqual(known, found)
    },
  }
}

/** How many are hashed at once: as many as take half of the memory together, but at least one. */
const atOnce = (cost: number, memory: number): number =>
  Math.max(1, Math.min(limits.passwordsAtOnce, Math.floor(memory / 2 / (128 * blockSize * cost))))
