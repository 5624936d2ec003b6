import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { newMachine, root } from '../support/binary.ts'

/** The line by which a service says that it is ready. */
const ready = (child: ChildProcess): Promise<{ base_url: string }> =>
  new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => resolve(JSON.parse(line)))
    child.once('close', (code) => reject(new Error(`ended with ${code} before it was ready`)))
  })

test('a running service sees what is loaded and what is reset, and its session goes on', async () => {
  const { start, vatom } = newMachine()
  const done = async (...args: string[]) => {
    const run = await vatom(args)
    expect({ args, ...run }).toMatchObject({ code: 0 })
    return run.out
  }
  await done('template', 'create', `${root}templates-examples/coffee-coupon.yaml`)
  await done('asset', 'upload', `${root}templates-examples/coffee-coupon.yaml`)
  const service = start(['serve', '--port', '0', '--json', '--quiet'])
  onTestFinished(() => void service.kill('SIGKILL'))
  const { base_url } = await ready(service)
  const flags = ['--context', 'dev', '--base-url', base_url, '--app-id', 'local', '--email', 'publisher@local.vatom']
  expect(await vatom(['login', ...flags, '--password-stdin'], { input: 'vatom-local' })).toMatchObject({ code: 0 })
  const served = () => done('template', 'list', '--context', 'dev')

  expect(await done('snapshot', 'save', 'one', '--context', 'local')).toBe('Saved one: 1 template, 1 asset\n')
  await done('reset', '--yes', '--context', 'local')
  expect(await served()).toBe('')
  await done('template', 'create', `${root}templates-examples/folder.yaml`)
  expect(await served()).toContain('CouponBook')
  await done('snapshot', 'load', 'one', '--yes', '--context', 'local')
  expect(await served()).toBe('local.vatom::CoffeeCoupon::v1\tdraft\t\n')
  const [, url = ''] = /(http:\S+)/.exec(await done('asset', 'list', '--context', 'dev')) ?? []
  expect((await fetch(url)).status).toBe(200)
})
