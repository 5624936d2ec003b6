import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ended, newMachine } from './binary.ts'

/** A service that takes requests and never answers them. */
async function silentService() {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each([[['--help']], [['template', '--help']], [['template', 'list', '--json']]])(
  '%j ends quietly when nobody reads its output',
  async (args) => {
    const child = newMachine().start(args)
    child.stdout?.destroy()
    const { signal, err } = await ended(child)
    expect(signal).toBeNull()
    expect(err).not.toMatch(/EPIPE|^\s+at /m)
  },
)

test('Ctrl-C during a call ends with 130 and no stack', async () => {
  const { server, url } = await silentService()
  const env = { VATOM_BASE_URL: url, VATOM_APP_ID: 'app', VATOM_ACCESS_TOKEN: 'token' }
  const child = newMachine().start(['whoami'], { env })
  const run = ended(child)
  await once(server, 'request')
  child.kill('SIGINT')
  const { code, signal, err } = await run
  expect({ code, signal }).toEqual({ code: 130, signal: null })
  expect(err).not.toMatch(/^\s+at /m)
})
