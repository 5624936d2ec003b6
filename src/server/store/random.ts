import { createHash, randomInt, randomUUID } from 'node:crypto'

/** Where the ids of records come from, the codes that users are sent, and numbers that are left to chance. */
export interface Random {
  uuid(): string
  /** A whole number from `least` to `most`. */
  integer(least: number, most: number): number
  /** Remembers the place in the sequence; the function that it returns goes back there. */
  mark(): () => void
}

/** What nobody can predict. */
export const unpredictable: Random = {
  uuid: randomUUID,
  integer: (least, most) => randomInt(least, most + 1),
  mark: () => () => {},
}

/** The same sequence for the same seed, for tests: whoever knows the seed can predict it. */
export function randomOf(seed: string): Random {
  let count = 0
  const bytes = () => createHash('sha256').update(`${seed}\0${count++}`).digest()
  return {
    uuid: () => uuidOf(bytes().toString('hex')),
    integer: (least, most) => least + Math.floor((bytes().readUIntBE(0, 6) / 2 ** 48) * (most - least + 1)),
    mark: () => {
      const marked = count
      return () => {
        count = marked
      }
    },
  }
}

/** A UUID of version 4 (RFC 9562) with these digits. */
const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
