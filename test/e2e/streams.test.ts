import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gate } from '../support/action-handler.ts'
import { ended, newMachine, root } from '../support/binary.ts'
import { serverOf } from '../support/servers.ts'

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
    err: expect.stringMatching(
      /^error: standard output cannot be written: .*\nhint: the command did its work all the same: .*\n$/,
    ),
  })
})

test('a command whose output nobody reads ends when it is asked to', async () => {
  const { home } = newMachine()
  const pipe = join(home, 'pipe')
  const isFull = `! dd if=/dev/zero of=${pipe} oflag=nonblock bs=1 count=1 2>/dev/null`
  const { out } = await script(
    home,
    `mkfifo ${pipe}; exec 3<>${pipe}; $VATOM help changelog >${pipe} & until ${isFull}; do sleep 0.05; done; kill $!; wait $!; echo "exit $?"`,
  )
  expect(out).toBe('exit 143\n')
})

test('Ctrl-C ends a wait for another try at once', async () => {
  const { start } = newMachine()
  const first = gate()
  const { url } = await serverOf((_request, response) => {
    response.writeHead(429, { 'retry-after': '25' }).end('{}', first.open)
  })
  const env = {
    VATOM_BASE_URL: url,
    VATOM_APP_ID: 'x',
    VATOM_ACCESS_TOKEN: 'y',
  }
  const child = start(['template', 'list'], { env })
  const run = ended(child)
  await first.opened
  const started = performance.now()
  child.kill('SIGINT')
  expect(await run).toMatchObject({ code: 130 })
  expect(performance.now() - started).toBeLessThan(10_000)
})
