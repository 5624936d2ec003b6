import { expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { HeldBodies } from '../../src/server/held-bodies.ts'
import { senderAt } from '../../src/server/store/senders.ts'

const mebibyte = 2 ** 20
const kibibyte = 2 ** 10

/** What a service with 256 MiB holds: 16 MiB in all. */
function world() {
  const bodies = new HeldBodies(256 * mebibyte)
  const senderOf = (who: string) => {
    const [id = '', address = ''] = who.split('@')
    return senderAt(address, { id, seeded: id === 'publisher' ? 1 : 0 })
  }
  /** Holds as many bodies as are taken, and answers how many bytes they have. */
  const fill = (who: string, length = 64 * kibibyte): number => {
    for (let held = 0; ; held += length) {
      try {
        bodies.hold(senderOf(who), length)
      } catch {
        return held
      }
    }
  }
  return { bodies, fill, senderOf }
}

test('however many users of one address hold bodies, users of others and publishers find room', () => {
  const { fill } = world()
  const crowd = Array.from({ length: 40 }, (_, index) => fill(`guest${index}@192.0.2.1`))
  expect(crowd[0]).toBe(3 * mebibyte)
  expect(crowd.reduce((sum, held) => sum + held)).toBeLessThanOrEqual(6 * mebibyte + 40 * limits.bodiesAlways)
  expect(fill('ann@192.0.2.2')).toBeGreaterThan(mebibyte)
  expect(fill('publisher@192.0.2.1')).toBe(4 * mebibyte)
})

test('from however many addresses bodies are held, publishers of the service find room', () => {
  const { fill } = world()
  for (let index = 0; index < 100; index++) fill(`guest@192.0.2.${index}`)
  for (let index = 0; index < 2000; index++) fill(`guest${index}@192.0.2.1`, limits.bodiesAlways)
  expect(fill('publisher@198.51.100.1')).toBe(4 * mebibyte)
})

test('a user of an address leaves as much to others of it as they have', () => {
  const { fill } = world()
  expect(['a', 'b', 'c'].map((id) => fill(`${id}@192.0.2.1`) / mebibyte)).toEqual([3, 1.5, 0.75])
})

test('a short body is taken from whoever has no other, and what is no longer held makes room', () => {
  const { bodies, fill, senderOf } = world()
  const release = bodies.hold(senderOf('ann@192.0.2.1'), 2 * mebibyte)
  for (let index = 0; index < 30; index++) fill(`guest@198.51.100.${index}`, limits.bodiesAlways)
  const [short, long] = [limits.bodiesAlways, limits.bodiesAlways + 1]
  expect(() => bodies.check(senderOf('new@203.0.113.1'), short)).not.toThrow()
  expect(() => bodies.check(senderOf('new@203.0.113.1'), long)).toThrow('too many requests with long bodies wait')
  release()
  expect(() => bodies.check(senderOf('new@203.0.113.1'), long)).not.toThrow()
})
