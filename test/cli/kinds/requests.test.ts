import { expect, test } from 'vitest'
import { facesOf, ifFound } from '../../../src/cli/kinds/requests.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import type { FaceRecord } from '../../../src/contract/kinds/face-schemas.ts'
import { limits } from '../../../src/contract/limits.ts'

test('all faces of a template are read, page by page, in order', async () => {
  const faces = Array.from({ length: limits.pageMax + 3 }, (_, index) => ({ id: `face-${index}` }) as FaceRecord)
  const asked: unknown[] = []
  const listFaces = async ({ query }: { query: { template: string; limit?: string; page?: string } }) => {
    asked.push(query.template)
    const start = (Number(query.page) - 1) * Number(query.limit)
    return faces.slice(start, start + Number(query.limit))
  }
  expect(await facesOf({ listFaces }, 'acme.com::Coffee::v1')).toEqual(faces)
  expect(asked).toEqual(['acme.com::Coffee::v1', 'acme.com::Coffee::v1'])
})

test('a record that is not there is undefined; any other failure stays one', async () => {
  const missing = new ServiceError('no template has this name', 404, 'notFound')
  const foreign = new ServiceError('it is not yours', 403, 'foreignRecord')
  expect(await ifFound(Promise.resolve(7))).toBe(7)
  expect(await ifFound(Promise.reject(missing))).toBeUndefined()
  await expect(ifFound(Promise.reject(foreign))).rejects.toBe(foreign)
  await expect(ifFound(Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
})
