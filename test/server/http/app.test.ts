import { expect, test } from 'vitest'
import type { Environment } from '../../../src/server/environment.ts'
import { bareApp } from '../../../src/server/http/app.ts'

/** Nothing is asked of it before there is a request. */
const environment: Environment = Object.create(null)
const schema = { type: 'object', properties: { name: { type: 'string' } } } as const

test.each([
  ['a request', { body: schema }],
  ['an answer', { response: { 200: schema } }],
])(
  'a route with a JSON schema for %s is refused at the start: the build leaves out what compiles it',
  async (_, given) => {
    const app = bareApp(environment)
    app.post('/', { schema: given }, () => 'never answered')
    await expect(app.ready()).rejects.toThrow('no route has a JSON schema')
  },
)
