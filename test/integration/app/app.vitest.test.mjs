import { startService } from 'vatom/testing'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import cases from './cases.cjs'

let service
beforeAll(async () => {
  service = await startService({ now: '2030-12-20T12:00:00Z', catalog: new URL('shop.yaml', import.meta.url).pathname })
})
beforeEach(() => service.reset())
afterAll(() => service.close())

for (const [name, run] of cases) test(name, () => run(service))
