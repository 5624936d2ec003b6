import { expect, test } from 'vitest'
import { hinted } from '../../../src/cli/failure/hinted.ts'
import { ServiceError } from '../../../src/client/errors.ts'

const refused = () =>
  Promise.reject(new ServiceError('no such record', 404, 'notFound', [{ path: 'a', message: 'not there' }]))

test('a refusal that has a hint is a failure with it, and loses nothing', async () =>
  await expect(hinted(refused(), { notFound: 'look elsewhere' })).rejects.toMatchObject({
    name: 'Failure',
    code: 'not_found',
    exitCode: 1,
    message: 'no such record',
    hint: 'look elsewhere',
    issues: [{ path: 'a', message: 'not there' }],
  }))

test('another refusal is left as it is, and an answer too', async () => {
  await expect(hinted(refused(), { nameTaken: 'look elsewhere' })).rejects.toBeInstanceOf(ServiceError)
  expect(await hinted(Promise.resolve(1), { notFound: 'x' })).toBe(1)
})
