import { expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { passwordsOf, passwordTurn } from '../../../src/server/auth/passwords.ts'

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
    const hashed = (name: string, isFirst = false) => hash(name, { isFirst }).then(() => ended.push(name))
    await Promise.all([hashed('first'), hashed('second'), hashed('publisher', true)])
    // Two that are hashed at once can end in any order, and the third before one of them if a thread had to wait: so again.
    expect([ended.slice(0, 2).sort(), ended[2]]).toEqual([expected.slice(0, 2), expected[2]])
  },
)

const turnAt = (address: string, id?: string, purpose: Parameters<typeof passwordTurn>[0] = 'sign in') =>
  passwordTurn(purpose, { address, isGone: () => false }, id === undefined ? undefined : { id, seeded: 0 })

test('addresses take turns, and so do the users of each, however many passwords one of them sends', async () => {
  const { hash, matches } = passwordsOf(2 ** 4, 0)
  const ended: string[] = []
  const note = (name: string) => () => void ended.push(name)
  const sent = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => hash(name, turnAt('192.0.2.1', 'eve')).then(note(name))),
    ...['n1', 'n2'].map((name) => hash(name, turnAt('192.0.2.1')).then(note(name))),
    matches('bob', 'scrypt$16$$', turnAt('192.0.2.1', 'bob')).then(note('bob')),
    matches('ann', 'scrypt$16$$', turnAt('192.0.2.2', 'ann')).then(note('ann')),
  ]
  await Promise.all(sent)
  expect(ended.join(' ')).toBe('a1 a2 ann n1 bob a3 n2 a4')
})

test('whoever signs in does not wait for all users of the same address who change their passwords', async () => {
  const { hash } = passwordsOf(2 ** 4, 0)
  const ended: string[] = []
  const guests = ['g1', 'g2', 'g3', 'g4', 'g5']
  const changes = guests.map((id) => hash(id, turnAt('192.0.2.1', id, 'change')).then(() => ended.push(id)))
  const logins = ['ann', 'bob'].map((id) => hash(id, turnAt('192.0.2.1', id)).then(() => ended.push(id)))
  await Promise.all([...changes, ...logins])
  expect(ended.join(' ')).toBe('g1 g2 ann g3 bob g4 g5')
})

test('a seeded publisher has the next turn, and every second one, whoever sends its passwords from many addresses', async () => {
  const { hash } = passwordsOf(2 ** 4, 0)
  const ended: string[] = []
  const sent = (name: string, isFirst = false) =>
    hash(name, { line: [name], isFirst }).then(() => void ended.push(name))
  await Promise.all([sent('ann'), sent('bob'), sent('eve'), ...['p1', 'p2', 'p3'].map((name) => sent(name, true))])
  expect(ended.join(' ')).toBe('ann p1 bob p2 eve p3')
})

test('the key of the configured password takes the next turn, and one at a time with passwords', async () => {
  const { hash, key } = passwordsOf(2 ** 4, 0)
  const ended: string[] = []
  const sent = ['ann', 'bob', 'eve'].map((name) => hash(name, turnAt('192.0.2.1', name)).then(() => ended.push(name)))
  await Promise.all([...sent, key('configured', Buffer.from('salt')).then(() => ended.push('key'))])
  expect(ended.join(' ')).toBe('ann key bob eve')
})

test('those whose connection is closed are not hashed, and of many that wait each user has one', async () => {
  const { hash } = passwordsOf(2 ** 4, 0)
  const gone = hash('first').then(() => hash('last'))
  const closed = hash('x', { ...turnAt('192.0.2.9', 'eve'), isGone: () => true })
  await expect(closed).rejects.toMatchObject({ kind: 'busy', message: expect.stringContaining('was closed') })
  await gone
  const many = Array.from({ length: limits.passwordsWaiting + 10 }, () => hash('x', turnAt('192.0.2.1', 'eve')))
  const others = ['bob', 'bob', 'ann'].map((id) => hash('x', turnAt('192.0.2.1', id)))
  const outcomes = async (sent: Promise<string>[]) => (await Promise.allSettled(sent)).map(({ status }) => status)
  const all = outcomes(many)
  expect(await outcomes(others)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await all).filter((status) => status === 'rejected')).toHaveLength(9)
})
