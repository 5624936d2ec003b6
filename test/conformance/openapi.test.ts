import Ajv2020 from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { operations } from '../../src/contract/api/table.ts'
import { openApi } from '../../src/contract/derived/openapi.ts'
import { at } from '../../src/contract/schema/path.ts'
import { pathOf, testService } from '../support/service.ts'
import { good } from './good.ts'

const document = JSON.parse(JSON.stringify(openApi())) as object
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'urn:vatom:openapi', ...document })

/** What a schema at a place of the document has against a value. */
function against(place: readonly string[], value: unknown): unknown {
  expect(at(document, ...place), place.join(' ')).toBeDefined()
  const escaped = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.compile({ $ref: `urn:vatom:openapi#/${escaped.join('/')}` })
  return validate(value) ? [] : validate.errors
}

test.each(operations)(
  '%s: the good request and its answer are what the OpenAPI document says',
  async (operation, row) => {
    const world = await testService()
    const { name, query, ...sent } = await good[operation](world)
    const call = row.auth === 'none' || row.auth === 'refresh' ? world.send : world.publisher.call
    const path = pathOf(operation, name) + (query ? `?${new URLSearchParams(query)}` : '')
    const { body } = await call(row.method, path, sent)
    const place = ['paths', row.path.replaceAll(/:(\w+)/g, '{$1}'), row.method.toLowerCase()]
    const json = ['content', 'application/json', 'schema']
    if (row.body) {
      expect(against([...place, 'requestBody', ...json], sent.body)).toEqual([])
      expect(against([...place, 'requestBody', ...json], [])).not.toEqual([])
    }
    expect(against([...place, 'responses', '200', ...json], body)).toEqual([])
    expect(against([...place, 'responses', '200', ...json], { ...body, payload: 1 })).not.toEqual([])

    const refused = await call(row.method, path, { ...sent, headers: { ...sent.headers, 'app-id': '' } })
    expect(against([...place, 'responses', '403', ...json], refused.body)).toEqual([])
    expect(against([...place, 'responses', '403', ...json], { ...refused.body, error: 'x' })).not.toEqual([])
  },
)
