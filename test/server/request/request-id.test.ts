import { expect, test } from 'vitest'
import { parseJson } from '../../../src/contract/unknown-values.ts'
import { overHttp, testService } from '../../support/service.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

test.each(['network', 'in process'] as const)(
  'an answer has the id of its request in a header, as the caller named it, %s',
  async (door) => {
    const { service } = await testService()
    const { port } = await service.listen({ host: '127.0.0.1', port: 0 })
    const ask = async (path: string, id?: string) => {
      const request = {
        method: 'GET',
        path,
        headers: { 'App-Id': 'local', ...(id !== undefined && { 'X-Request-Id': id }) },
      }
      const { headers, body } = await (door === 'network' ? overHttp(port, request) : service.inject(request))
      return { header: headers['x-request-id'], body: Object(parseJson(body)).request_id }
    }
    expect(await ask('/v1/user', 'run_7:step.1-a')).toEqual({ header: 'run_7:step.1-a', body: 'run_7:step.1-a' })
    expect(await ask('/nowhere', 'a')).toEqual({ header: 'a', body: 'a' })
    for (const bad of [undefined, '', 'a b', '"', 'a'.repeat(129)]) {
      const { header, body } = await ask('/v1/user', bad)
      expect(header).toMatch(uuid)
      expect(body).toBe(header)
    }
    const { journal } = await service.testControls()
    expect(journal.newest()[1]).toMatchObject({ request_id: 'run_7:step.1-a' })
  },
)
