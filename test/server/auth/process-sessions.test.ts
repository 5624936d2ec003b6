import { expect, test, vi } from 'vitest'
import { newProcessSessions } from '../../../src/server/auth/process-sessions.ts'

const beginning = (isOver = () => false) => ({ isValid: () => !isOver(), isRevoked: () => false })

test('a session that is no longer valid is forgotten when another one begins, and so are the ids in its tokens', () => {
  const { begin, byId } = newProcessSessions()
  let isOver = false
  const [first, second] = [begin(beginning(() => isOver)), begin(beginning())]
  const [ann, bob, other] = [first.idFor('ann'), first.idFor('bob'), second.idFor('ann')]
  expect([first.idFor('ann'), new Set([ann, bob, other]).size]).toEqual([ann, 3])
  isOver = true
  expect(byId(ann)).toBe(first)
  begin(beginning())
  expect([ann, bob, other].map(byId)).toEqual([undefined, undefined, second])
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
