import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { JsonParts, listParts } from '../../../src/server/domain/json-text.ts'
import { successAnswer, textOf } from '../../../src/server/request/answers.ts'
import { doors, emitted, testService } from '../../support/service.ts'

/** A list of records, and how many of them were made. */
function counted(records: number, length: number) {
  const made = { count: 0 }
  const batches = function* () {
    for (; made.count < records; ) {
      made.count++
      yield [JSON.stringify('x'.repeat(length))]
    }
  }
  return { made, answer: () => successAnswer('id', new JsonParts(listParts(batches()))) }
}

test('an answer of few parts that takes no time is one text', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  const { answer } = counted(3, 10)
  const { body } = answer()
  expect(body).toBe('{"request_id":"id","payload":["xxxxxxxxxx","xxxxxxxxxx","xxxxxxxxxx"]}')
})

test('the records of a long answer are read as its client reads it', () => {
  const { made, answer } = counted(100, limits.answerPart)
  const { body } = answer()
  expect(typeof body).toBe('object')
  expect(made.count).toBe(1)
  if (typeof body === 'string') throw new Error('the body is one text')
  const parts = body[Symbol.iterator]()
  for (let read = 0; read < 10; read++) parts.next()
  expect(made.count).toBeLessThanOrEqual(11)
})

test('between records that take long to find, others have turns', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const batches = function* () {
    for (const batch of [[], ['1'], [], [], ['2'], []]) {
      now += 10
      yield batch
    }
  }
  const { body } = successAnswer('id', new JsonParts(listParts(batches())))
  expect(now).toBeLessThan(30)
  expect(textOf(body)).toBe('{"request_id":"id","payload":[1,2]}')
  expect(now).toBe(60)
})

test('a long answer has all of its text', () => {
  const { body } = counted(20, limits.answerPart / 3).answer()
  expect(JSON.parse(textOf(body)).payload).toHaveLength(20)
})

test.each(doors)('%s: a long page is whole, and a dry run of it the same', async (door) => {
  const { publisher } = await testService({}, door)
  await emitted(publisher, 'local.vatom::Large', 30, { description: 'x'.repeat(20_000) })
  const pages = [
    ['/v1/vatom/discover', { limit: 1000 }, 'results'],
    ['/v1/user/vatom/inventory', { parent_id: '*', limit: 100 }, 'vatoms'],
  ] as const
  for (const [path, body, list] of pages)
    for (const dryRun of [undefined, { headers: { 'vatom-dry-run': 'true' } }]) {
      const { status, payload } = await publisher.call('POST', path, { body, ...dryRun })
      expect(status).toBe(200)
      expect(payload[list]).toHaveLength(30)
    }
})
