import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { Turns } from '../work-queue.ts'

const blockSize = 8
const keyBytes = 32

/** Hashes and checks passwords with scrypt, at most two at once. */
export interface Passwords {
  /** `scrypt$<N>$<salt>$<key>`. Rejects with `busy` when too many wait. */
  hash(password: string): Promise<string>
  /** Whether a password is the hashed one; takes the same time for every wrong one. */
  matches(password: string, stored: string): Promise<boolean>
}

/** `cost` is scrypt's N, a power of two. */
export function passwordsOf(cost: number): Passwords {
  const turns = new Turns(limits.passwordsAtOnce, limits.passwordsWaiting, 'too many logins at once')
  const derive = (password: string, salt: Buffer, n: number) =>
    turns.take(
      () =>
        new Promise<Buffer>((resolve, reject) =>
          scrypt(password, salt, keyBytes, { N: n, r: blockSize, maxmem: 256 * n * blockSize }, (error, key) =>
            error ? reject(error) : resolve(key),
          ),
        ),
    )
  return {
    hash: async (password) => {
      const salt = randomBytes(16)
      const key = await derive(password, salt, cost)
      return ['scrypt', cost, salt.toString('base64'), key.toString('base64')].join('$')
    },
    matches: async (password, stored) => {
      const [, n, salt, key] = stored.split('$')
      const known = Buffer.from(key ?? '', 'base64')
      const found = await derive(password, Buffer.from(salt ?? '', 'base64'), Number(n))
      return known.length === found.length && timingSafeEqual(known, found)
    },
  }
}
