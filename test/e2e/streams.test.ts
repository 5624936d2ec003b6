import { spawn } from 'node:child_process'
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../src/server/service.ts'
import { face, template } from '../fixtures/yaml.ts'
import { gate } from '../support/action-handler.ts'
import { ended, newMachine, root } from '../support/binary.ts'
import { lossy } from '../support/lossy.ts'
import { serverOf } from '../support/servers.ts'

/** Runs a script of bash with the built binary as $VATOM. */
function script(home: string, commands: string) {
  const env = { PATH: process.env.PATH ?? '', HOME: home, VATOM: `${process.execPath} ${join(root, 'bin/vatom.js')}` }
  return ended(spawn('bash', ['-c', commands], { cwd: root, env }))
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

test('that the result of a change cannot be written is said last, behind what was done', async () => {
  const { home } = newMachine()
  const { err } = await script(home, '$VATOM apply templates-examples/coffee-coupon.yaml --yes > /dev/full')
  expect(err).toMatch(
    /\n1 created\nerror: standard output cannot be written: .*\nhint: the command did its work all the same: .*\n$/,
  )
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

test('a run does its work while nobody reads its output, and has each line once for who reads it then', async () => {
  const { home } = newMachine()
  const service = await openService({ db: ':memory:', scryptCost: 16 })
  onTestFinished(() => service.close())
  const last = gate()
  const { env } = await lossy(service, ({ method, url }) => {
    if (method === 'POST' && url === '/v1/publisher/face') last.open()
    return 'answered'
  })
  writeFileSync(join(home, 'a.yaml'), [template(), face()].join('---\n'))
  const pipe = join(home, 'pipe')
  const fill = `mkfifo ${pipe}; exec 3<>${pipe}; dd if=/dev/zero of=${pipe} oflag=nonblock bs=65536 count=1 2>/dev/null`
  const apply = `exec ${process.execPath} ${join(root, 'bin/vatom.js')} apply ${home}/a.yaml --yes >${pipe}`
  const run = ended(spawn('bash', ['-c', `${fill}; ${apply}`], { env: { PATH: process.env.PATH, HOME: home, ...env } }))
  await last.opened
  const read = await text(createReadStream(pipe))
  expect(await run).toMatchObject({ code: 0, err: expect.stringMatching(/\n2 created\n$/) })
  const lines = read.replaceAll('\0', '').split('\n').sort()
  expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['', 'Created face', 'Created template'])
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
