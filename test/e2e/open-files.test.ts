import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { ended, entry, newMachine } from '../support/binary.ts'

/** How many files a process may have open: around what the tool needs. Of fewer, Node itself does not start. */
const limits = Array.from({ length: 12 }, (_, index) => 17 + index)

const places = ['--base-url', 'http://127.0.0.1:9', '--app-id', 'x']

test.skipIf(process.platform === 'win32').each([
  ['of the data on this machine', ['template', 'list']],
  ['that asks a service', ['login', '--guest', ...places]],
])('a command %s says what to do where too many files are open', async (_which, args) => {
  const { home, vatom } = newMachine()
  await vatom(['template', 'list'])
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const errors: string[] = []
  for (const limit of limits) {
    const words = `ulimit -n ${limit} && exec "$0" "$@"`
    errors.push((await ended(spawn('bash', ['-c', words, process.execPath, entry, ...args], { env }))).err)
  }
  const failed = errors.filter((err) => /^error: .*(EMFILE|too many files)/m.test(err))
  expect(failed).not.toEqual([])
  for (const err of failed) {
    expect(err).toContain('hint: let this process have more files open: ulimit -n 4096;')
    expect(err).not.toContain('the service may have done')
  }
})

test.skipIf(process.platform === 'win32')('a browser that cannot be started for that reason is an error', async () => {
  const { home, vatom } = newMachine()
  expect(await vatom(['init', 'catalog', '--no-input'])).toMatchObject({ code: 0 })
  const args = ['preview', 'catalog', '--out', 'face.png']
  const env = { PATH: process.env.PATH ?? '', HOME: home, CHROME_PATH: '/bin/true' }
  for (const limit of limits) {
    const words = `ulimit -n ${limit} && exec "$0" "$@"`
    const child = spawn('bash', ['-c', words, process.execPath, entry, ...args], { env, cwd: home })
    expect((await ended(child)).err).not.toMatch(/^Error: spawn/m)
  }
})
