import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { action, grant, owned, perform } from '../support/acting.ts'
import { newFolder } from '../support/folders.ts'
import { codeBlocks, pageText } from '../support/pages.ts'
import { started } from '../support/servers.ts'
import { emitted, made } from '../support/service.ts'
import { twoPublishers } from '../support/worlds.ts'

const written = codeBlocks(pageText('src/docs/reactors.md')).find(({ language }) => language === 'js')?.code ?? ''

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  const { port } = await started(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The handler of the manual in a process of its own; answers where it listens. */
async function documentedHandler(): Promise<string> {
  const port = await freePort()
  const file = join(newFolder(), 'check.mjs')
  writeFileSync(file, written.replace('9001', String(port)))
  const child = spawn(process.execPath, [file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill())
  const url = `http://127.0.0.1:${port}/`
  await vi.waitFor(() => fetch(url, { method: 'POST', body: '{"user": {}}' }), 10_000)
  return url
}

test('with the handler of the manual, an owner redeems nothing, and a merchant does', async () => {
  const name = 'local.vatom::Drink'
  const { service, publisher, bob } = await twoPublishers()
  const [id = ''] = await emitted(publisher, name, 1, { redeemable: true, commerce: {} })
  await made(publisher, [
    'POST',
    '/v1/publisher/action_handler',
    { reactor: 'acme://check', url: await documentedHandler() },
  ])
  await action(publisher, name, 'Check', { reactor: 'acme://check' })
  await action(publisher, name, 'Redeem', { policy: { pre: ['Check'] } })
  expect(await perform(publisher, 'Redeem', id)).toMatchObject({
    status: 400,
    body: { error: 9041, message: 'Only merchants can redeem this.' },
  })
  expect(await owned(publisher)).toEqual([id])
  await grant(service, bob, { is_merchant: true })
  expect(await perform(bob, 'Redeem', id)).toMatchObject({ status: 200 })
  expect(await owned(bob)).toEqual([id])
})
