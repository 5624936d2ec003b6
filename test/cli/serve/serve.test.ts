import { expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { openService, type ServiceOptions } from '../../../src/server/service.ts'
import { template } from '../../fixtures/bodies.ts'
import { Capture, input } from '../../support/streams.ts'
import { publisher, testClock } from '../../support/vatom.ts'

/** What a served service charges for a contract and a field, and what is left then; it ends at once. */
async function served(...flags: string[]) {
  const interrupted = new AbortController()
  let seen: unknown
  const open = async (options: ServiceOptions) => {
    const service = await openService({ ...options, scryptCost: 16 })
    const listen: typeof service.listen = async (address) => {
      const listening = await service.listen(address)
      seen = await charges(listening.baseUrl, service.localToken())
      interrupted.abort()
      return listening
    }
    return { ...service, listen }
  }
  const code = await main(['serve', '--memory', '--port', '0', ...flags], {
    stdin: input(),
    stdout: new Capture(),
    stderr: new Capture(),
    env: {},
    cwd: '/',
    home: '/nowhere',
    build: undefined,
    now: testClock,
    sleep: async () => {},
    random: () => 0.5,
    signal: interrupted.signal,
    termination: () => interrupted.signal,
    runProgram: async () => 0,
    openService: open,
  })
  return { code, seen }
}

async function charges(baseUrl: string, token: string) {
  const headers = { 'app-id': 'local', authorization: `Bearer ${token}` }
  const eth = { network: 'mainnet', fields: { a: { type: 'uint', value: 1 } } }
  const body = JSON.stringify(template({ template: 'local.vatom::A::v1', eth }))
  const { status } = await fetch(`${baseUrl}/v1/templates`, { method: 'POST', headers, body })
  const [ledger, balance] = await Promise.all(
    ['ledger', 'balance'].map(
      async (route) => Object(await (await fetch(`${baseUrl}/__vatom/${route}`)).json()).payload,
    ),
  )
  return { status, units: ledger.map(({ units }: { units: number }) => units), granted: balance[0].granted }
}

test.each([
  [[], { status: 200, units: [100, 10], granted: 1_000_000 }],
  [['--contract-units', '7'], { status: 200, units: [7, 10], granted: 1_000_000 }],
  [['--field-units', '3', '--balance', '103'], { status: 200, units: [100, 3], granted: 103 }],
  [['--contract-units', '0', '--field-units', '0', '--balance', '0'], { status: 200, units: [0, 0], granted: 0 }],
  [['--balance', '109'], { status: 400, units: [], granted: 109 }],
])('serve %j sets the tariff and the balance', async (flags, seen) => {
  expect(await served(...flags)).toMatchObject({ seen })
})

test.each(['--contract-units', '--field-units', '--balance'])(
  'serve %s takes whole numbers from 0 up',
  async (flag) => {
    const { vatom } = await publisher()
    for (const value of ['-1', '1.5', 'many', '', '99999999999999999999'])
      expect(await vatom('serve', '--memory', flag, value)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining(flag),
      })
  },
)

test('serve --help has the charges under a heading of their own', async () => {
  const { vatom } = await publisher()
  const { out } = await vatom('serve', '--help')
  const [, group = ''] = out.split('Charges for chain writes on mainnet, in platform units:\n')
  const options = group.split('\n\n')[0]?.match(/--[\w-]+/g)
  expect(options).toEqual(['--contract-units', '--field-units', '--balance'])
})
