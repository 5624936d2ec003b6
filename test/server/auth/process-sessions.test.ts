import { expect, test, vi } from 'vitest'
import { newProcessSessions } from '../../../src/server/auth/process-sessions.ts'

const beginning = () => ({ isValid: () => true, isRevoked: () => false })

test('a session that is ended is forgotten with the ids in its tokens', () => {
  const { begin, byId } = newProcessSessions()
  const [first, second] = [begin(beginning()), begin(beginning())]
  const [ann, bob, other] = [first.idFor('ann'), first.idFor('bob'), second.idFor('ann')]
  expect([first.idFor('ann'), new Set([ann, bob, other]).size]).toEqual([ann, 3])
  expect(byId(ann)).toBe(first)
  first.end()
  expect([ann, bob, other].map(byId)).toEqual([undefined, undefined, second])
})

test('a session that begins asks no other whether it is valid', () => {
  const { begin } = newProcessSessions()
  const isValid = vi.fn(() => true)
  begin({ isValid, isRevoked: () => false }).idFor('ann')
  begin(beginning()).idFor('bob')
  expect(isValid).not.toHaveBeenCalled()
})

test('who listens is called when a session ends or is signed out of, until they stop', () => {
  const { begin, signOut, onEnd } = newProcessSessions()
  const session = begin(beginning())
  const listener = vi.fn()
  const stop = onEnd(listener)
  signOut(session.idFor('ann'))
  session.end()
  expect([listener.mock.calls.length, session.isValid()]).toEqual([2, false])
  stop()
  begin(beginning()).end()
  expect(listener).toHaveBeenCalledTimes(2)
})
