import { expect, onTestFinished, test, vi } from 'vitest'
import { CallLimit } from '../../../src/server/request/call-limit.ts'

test('calls of one IPv6 network count together: its machines choose their addresses themselves', () => {
  const limit = new CallLimit(2, () => new Date('2027-03-01T12:00:00Z'))
  limit.count('login', '2001:db8:1:2::1')
  limit.count('login', '2001:db8:1:ff:ffff::7')
  expect(() => limit.count('login', '2001:db8:1:2::9')).toThrow(/limited to 2 a minute/)
  limit.count('login', '2001:db8:1:102::1')
  limit.count('login', '192.0.2.1')
  limit.count('login', '192.0.2.2')
  limit.count('registerUser', '2001:db8:1:2::1')
})

test('a limit ends after a minute, also where the clock stands still', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const limit = new CallLimit(1, () => new Date('2027-03-01T12:00:10Z'))
  const call = () => limit.count('login', '192.0.2.1')
  call()
  vi.advanceTimersByTime(59_000)
  expect(call).toThrow(/limited to 1 a minute; try again in 1 s,/)
  vi.advanceTimersByTime(1_000)
  call()
  expect(call).toThrow(/limited to 1 a minute; try again in 60 s,/)
  vi.advanceTimersByTime(60_000)
  call()
})

test('a limit ends where the clock is moved by a minute, or back, and not before', () => {
  let time = '12:00:50'
  const limit = new CallLimit(1, () => new Date(`2027-03-01T${time}Z`))
  const call = () => limit.count('login', '192.0.2.1')
  call()
  time = '12:01:49'
  expect(call).toThrow(/limited to 1 a minute/)
  for (time of ['12:01:50', '12:01:49']) {
    call()
    expect(call).toThrow(/limited to 1 a minute/)
  }
})
