import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { configuredSessionsOf } from '../../../src/server/auth/configured-sessions.ts'
import { tokensOf } from '../../../src/server/auth/tokens.ts'
import { beginInTurns } from '../../../src/server/http/request-turns.ts'

/** Milliseconds of work after which nothing else begins in the same turn. */
const long = 8

function work(): void {
  for (const end = performance.now() + long; performance.now() < end; );
}

test('nothing waits for the connection of a request to be closed once the request has had its turn', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  app.decorateRequest('caller', '203.0.113.9')
  const tokens = tokensOf('secret', 'local', () => new Date())
  beginInTurns(app, { tokens, configuredSessions: configuredSessionsOf(async () => Buffer.from('key')) })
  let isLater = false
  app.get('/', (_request, { raw }) => {
    work()
    return { isLater, waiting: raw.listenerCount('close') }
  })
  await app.ready()
  const both = ['/', '/'].map((url) => app.inject({ url }))
  setImmediate(() => {
    isLater = true
  })
  const [first, second] = (await Promise.all(both)).map((answer) => answer.json())
  expect(first.isLater).toBe(false)
  expect(second).toEqual({ isLater: true, waiting: first.waiting })
})
