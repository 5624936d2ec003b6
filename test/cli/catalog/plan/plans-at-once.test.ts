import { expect, test } from 'vitest'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { template } from '../../../fixtures/yaml.ts'
import { lossy } from '../../../support/lossy.ts'
import { publisher } from '../../../support/vatom.ts'

/** More than a request of a dry run carries out again. */
const numbers = Array.from({ length: 16 }, (_, index) => index)
const charge = 'eth:\n  network: mainnet\n  fields:\n    a: { type: uint, value: 1 }\n'

test('plans of the same publisher at once are checked as one by itself, also while a run applies', async () => {
  const { file, vatom } = await publisher({ transport: 'network', service: { balance: 0 } })
  const documents = (name: string) => numbers.map((number) => template(`$publisher::${name}${number}::v1`))
  file('all.yaml', [...documents('T'), template('$publisher::Z::v1', charge)].join('---\n'))
  file('other.yaml', documents('Other').join('---\n'))
  const plan = () => vatom('plan', 'all.yaml', '--no-color')
  const alone = await plan()
  expect(alone).toMatchObject({ code: 1, out: expect.stringContaining('balance') })
  const [first, second, applied] = await Promise.all([plan(), plan(), vatom('apply', 'other.yaml', '--yes')])
  expect([first, second]).toEqual([alone, alone])
  expect(applied).toMatchObject({ code: 0, err: expect.stringContaining(`${numbers.length} created`) })
})

test('a plan that waits for other dry runs says so, once', async () => {
  const { service, run } = await catalogDesk()
  let refusals = 0
  const busy = { status: 503, error: 9016, headers: { 'retry-after': '0' } }
  const fate = ({ method }: { method?: string }) => (method === 'POST' && ++refusals < 9 ? busy : 'answered')
  const { env, port } = await lossy(service, fate, () => {}, ['vatom-dry-run'])
  const { code, err } = await run(['plan', 'catalog'], { env, slept: [] })
  expect(code).toBe(0)
  const waits = `http://127.0.0.1:${port} is busy: waiting for it, 2 minutes at most`
  expect(err.split('\n').filter((line) => line.includes('busy'))).toEqual([waits])
})
