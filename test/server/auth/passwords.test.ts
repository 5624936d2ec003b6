import { expect, test } from 'vitest'
import { passwordsOf } from '../../../src/server/auth/passwords.ts'

const cost = 2 ** 14
const bytes = 128 * 8 * cost

test.each([
  [2 * bytes, ['first', 'publisher', 'second']],
  [4 * bytes, ['first', 'second', 'publisher']],
])(
  'with %d bytes of memory, as many passwords are hashed at once as half of it holds',
  { retry: 3 },
  async (memory, expected) => {
    const { hash } = passwordsOf(cost, memory)
    const ended: string[] = []
    const hashed = (name: string, purpose: 'setting' | 'publisher') => hash(name, purpose).then(() => ended.push(name))
    await Promise.all([hashed('first', 'setting'), hashed('second', 'setting'), hashed('publisher', 'publisher')])
    // Two that are hashed at once can end in any order, and the third before one of them if a thread had to wait: so again.
    expect([ended.slice(0, 2).sort(), ended[2]]).toEqual([expected.slice(0, 2), expected[2]])
  },
)
