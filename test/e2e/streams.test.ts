import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ended, newMachine, root } from './binary.ts'

/** Runs a script of bash with the built binary as $VATOM. */
function script(home: string, text: string) {
  const env = { PATH: process.env.PATH ?? '', HOME: home, VATOM: `${process.execPath} ${join(root, 'bin/vatom.js')}` }
  return ended(spawn('bash', ['-c', text], { cwd: root, env }))
}

test('work is done, and its exit code kept, though nobody reads the notes', async () => {
  const { home, vatom } = newMachine()
  const create = 'template create templates-examples/coffee-coupon.yaml'
  const closed = await script(home, `exec 3>&1; { $VATOM ${create} 2>&1 >/dev/null; echo "exit $?" >&3; } | true`)
  expect(closed.out).toBe('exit 0\n')
  expect(JSON.parse((await vatom(['template', 'list', '--json'])).out)).toHaveLength(1)
})

test('a result that cannot be written is one line and exit 1, never a stack', async () => {
  const { home } = newMachine()
  const { out, err } = await script(home, '$VATOM template list --json > /dev/full; echo "exit $?"')
  expect({ out, err }).toEqual({
    out: 'exit 1\n',
    err: expect.stringMatching(/^error: standard output cannot be written: .*\n$/),
  })
})

test('Ctrl-C ends a wait for another try at once', async () => {
  const { start } = newMachine()
  let asked: () => void
  const first = new Promise<void>((resolve) => {
    asked = resolve
  })
  const server = createServer((_request, response) => {
    response.writeHead(429, { 'retry-after': '25' }).end('{}', () => asked())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const env = {
    VATOM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    VATOM_APP_ID: 'x',
    VATOM_ACCESS_TOKEN: 'y',
  }
  const child = start(['template', 'list'], { env })
  const run = ended(child)
  await first
  const started = performance.now()
  child.kill('SIGINT')
  expect(await run).toMatchObject({ code: 130 })
  expect(performance.now() - started).toBeLessThan(10_000)
})
