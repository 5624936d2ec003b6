import { beforeEach, expect, test, vi } from 'vitest'
import type * as warnings from '../../../src/contract/api/warnings.ts'
import { limits } from '../../../src/contract/limits.ts'
import { action, outputOf, perform } from '../../support/acting.ts'
import { emitted, testService, warningsOf } from '../../support/service.ts'

const made = vi.hoisted(() => ({ count: 0 }))

vi.mock('../../../src/contract/api/warnings.ts', async (original) => {
  const actual = await original<typeof warnings>()
  const counted: typeof actual.warning = (...given) => {
    made.count++
    return actual.warning(...given)
  }
  return { ...actual, warning: counted }
})

beforeEach(() => {
  made.count = 0
})

const name = 'local.vatom::Coin'
const many = 500
const numbered = (value: unknown) =>
  Object.fromEntries(Array.from({ length: many }, (_, index) => [`k${index}`, value]))

async function world(fields: object = {}) {
  const service = await testService()
  const [id = ''] = await emitted(service.publisher, name, 1, {}, { inner: numbered(1) })
  await action(service.publisher, name, 'Update', { reactor: 'blockv://custom/privateproperties', ...fields })
  await action(service.publisher, name, 'Activate')
  return { ...service, id }
}

test.each([
  ['values of another type', 'Update', { private: { inner: numbered('x') } }],
  ['inputs without effect', 'Activate', numbered('x')],
])(
  'of many warnings about %s, those for which the answer has no room are counted and not made',
  async (_, short, input) => {
    const { publisher, id } = await world()
    const answer = await perform(publisher, short, id, input)
    outputOf(answer)
    const found = warningsOf(answer)
    expect(found.at(-1)).toMatchObject({ code: 'more', message: `and ${many + 1 - found.length} more` })
    expect(made.count).toBeLessThanOrEqual(limits.warningCount + 1)
  },
)

test('the log of an action that is not waited for has as many warnings as an answer, each once, and the number of the rest', async () => {
  const { service, publisher, lines, id } = await world({ wait: false })
  outputOf(await perform(publisher, 'Update', id, { private: { inner: numbered('x') } }))
  await service.close()
  const logged = lines.filter((line) => line.includes('Update, not waited for: '))
  expect(logged.length).toBeLessThanOrEqual(limits.warningCount)
  expect(logged[0]).toMatch(/: private\.inner\.k0 was a number, and is a string now$/)
  expect(new Set(logged).size).toBe(logged.length)
  expect(logged.at(-1)).toMatch(new RegExp(`: and ${many + 1 - logged.length} more$`))
})
