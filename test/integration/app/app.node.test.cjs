const { after, before, beforeEach, test } = require('node:test')
const { join } = require('node:path')
const { startService } = require('vatom/testing')

let service
before(async () => {
  service = await startService({ now: '2030-12-20T12:00:00Z', catalog: join(__dirname, 'shop.yaml') })
})
beforeEach(() => service.reset())
after(() => service.close())

for (const [name, run] of require('./cases.cjs')) test(name, () => run(service))
