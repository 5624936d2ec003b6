import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../contract/api/errors.ts'

const blockSize = 8
const keyBytes = 32
/** Each hash takes 128 MB and a thread. */
const atOnce = 2
const queueMax = 64

/** Hashes and checks passwords with scrypt, at most two at once. */
export interface Passwords {
  /** `scrypt$<N>$<salt>$<key>`. Rejects with `busy` when too many wait. */
  hash(password: string): Promise<string>
  /** Whether a password is the hashed one; takes the same time for every wrong one. */
  matches(password: string, stored: string): Promise<boolean>
}

/** `cost` is scrypt's N, a power of two. */
export function passwordsOf(cost: number): Passwords {
  const inTurn = turns(atOnce, queueMax)
  const derive = (password: string, salt: Buffer, n: number) =>
    inTurn(
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

/** Runs at most `running` works at once, in order; rejects beyond `waiting` more. */
function turns(running: number, waiting: number) {
  let free = running
  const queue: (() => void)[] = []
  const acquire = () => {
    if (free > 0) {
      free--
      return Promise.resolve()
    }
    if (queue.length >= waiting) return Promise.reject(new ApiError('busy', 'too many logins at once'))
    return new Promise<void>((resolve) => queue.push(resolve))
  }
  const release = () => {
    const next = queue.shift()
    if (next) next()
    else free++
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
}
