import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, readFileSync } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ended, newMachine, root } from '../support/binary.ts'
import { serverOf } from '../support/servers.ts'

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
  const { server, url } = await serverOf()
  const env = { VATOM_BASE_URL: url, VATOM_APP_ID: 'app', VATOM_ACCESS_TOKEN: 'token' }
  const child = newMachine().start(['whoami'], { env })
  const run = ended(child)
  await once(server, 'request')
  child.kill('SIGINT')
  const { code, signal, err } = await run
  expect({ code, signal }).toEqual({ code: 130, signal: null })
  expect(err).not.toMatch(/^\s+at /m)
})

/** Opens a pipe for writing as soon as somebody reads it. */
async function writerOf(pipe: string): Promise<FileHandle> {
  for (;;) {
    const writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined)
    if (writer) return writer
    await setTimeout(5)
  }
}

test('Ctrl-C while waiting for somebody to write to a pipe ends with 130 and no stack', async () => {
  const { home, start } = newMachine()
  const pipe = join(home, 'pipe')
  execFileSync('mkfifo', [pipe])
  const child = start(['template', 'validate', 'pipe'])
  const run = ended(child)
  const writer = await writerOf(pipe)
  onTestFinished(() => writer.close())
  child.kill('SIGINT')
  const { code, signal, err } = await run
  expect({ code, signal }).toEqual({ code: 130, signal: null })
  expect(err).not.toMatch(/^\s+at /m)
})

test('a pipe is read as soon as somebody writes to it', async () => {
  const { home, vatom } = newMachine()
  execFileSync('mkfifo', [join(home, 'pipe')])
  const run = vatom(['template', 'validate', 'pipe'])
  await writeFile(join(home, 'pipe'), readFileSync(join(root, 'templates-examples/coffee-coupon.yaml')))
  expect(await run).toMatchObject({ code: 0, out: expect.stringContaining('CoffeeCoupon') })
})
