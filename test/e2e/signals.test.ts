import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, readFileSync } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../src/server/service.ts'
import { template } from '../fixtures/yaml.ts'
import { gate } from '../support/action-handler.ts'
import { ended, newMachine, root } from '../support/binary.ts'
import { writeFiles } from '../support/folders.ts'
import { type Fate, lossy } from '../support/lossy.ts'
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

/** A service that answers everything but the change it is sent; `sent` is open once that has arrived. */
async function holding() {
  const service = await openService({ db: ':memory:', scryptCost: 16 })
  onTestFinished(() => service.close())
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const sent = gate()
  const { url } = await serverOf(async (request, response) => {
    if (request.method === 'POST') return sent.open()
    const { authorization = '' } = request.headers
    const answer = await fetch(`${baseUrl}${request.url}`, { headers: { authorization, 'app-id': service.appId } })
    response.writeHead(answer.status).end(await answer.text())
  })
  const env = { VATOM_BASE_URL: url, VATOM_APP_ID: service.appId, VATOM_ACCESS_TOKEN: service.localToken() }
  return { env, sent }
}

test('a second Ctrl-C ends a change at once, and says that what was sent may have been done', async () => {
  const { env, sent } = await holding()
  const { home, start } = newMachine()
  await writeFile(join(home, 't.yaml'), template())
  const child = start(['template', 'create', 't.yaml'], { env })
  const run = ended(child)
  await sent.opened
  child.kill('SIGINT')
  await setTimeout(500)
  child.kill('SIGINT')
  expect(await run).toMatchObject({
    code: 130,
    out: '',
    err: expect.stringMatching(
      /^error: interrupted twice: .*\nhint: if it was to change something, that may have been done.*\n$/m,
    ),
  })
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'one %s while apply records which catalog its records belong to leaves it the list of what was done',
  async (name) => {
    const service = await openService({ db: ':memory:', scryptCost: 16 })
    onTestFinished(() => service.close())
    const recording = gate()
    const fate = async ({ method, url }: IncomingMessage): Promise<Fate> => {
      if (method !== 'PATCH' || url !== '/v1/publisher/label') return 'answered'
      recording.open()
      return new Promise(() => {})
    }
    const { env } = await lossy(service, fate, undefined, ['vatom-dry-run'])
    const { home, start } = newMachine()
    writeFiles(home, { 'shop/vatom.yaml': 'catalog: shop\n', 'shop/t.yaml': template() })
    const child = start(['apply', 'shop', '--yes'], { env })
    const run = ended(child)
    await recording.opened
    child.kill(name)
    expect(await run).toMatchObject({
      code: 130,
      signal: null,
      out: expect.stringMatching(/^Created template /),
      err: expect.stringMatching(/error: interrupted when all had been sent\n$/),
    })
  },
)

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
