const { join } = require('node:path')
const { startService } = require('vatom/testing')

let service
beforeAll(async () => {
  service = await startService({ now: '2030-12-20T12:00:00Z', catalog: join(__dirname, 'shop.yaml') })
})
beforeEach(() => service.reset())
afterAll(() => service.close())

for (const [name, run] of require('./cases.cjs')) test(name, () => run(service))

test('objects and errors are those of this realm', async () => {
  expect(await service.client.getProfile({})).toBeInstanceOf(Object)
  await expect(service.client.getTemplate({ name: 'none' })).rejects.toBeInstanceOf(Error)
})
