import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ended, entry, newMachine, root } from '../support/binary.ts'

test.skipIf(process.platform === 'win32')(
  'a disk that has room for a part of the contexts only leaves them as they were, and that is said',
  async () => {
    const { home, vatom } = newMachine()
    const config = join(home, '.config/vatom/config.json')
    const add = (name: string) => ['context', 'add', name, '--base-url', 'https://api.example.com', '--app-id', 'x']
    expect(await vatom(add('first'))).toMatchObject({ code: 0 })
    const { contexts } = JSON.parse(readFileSync(config, 'utf8'))
    const many = Array.from({ length: 50 }, (_, index) => [`c${index}`, contexts.first])
    const before = JSON.stringify({ contexts: Object.fromEntries(many) })
    writeFileSync(config, before)
    const words = `ulimit -f 2 && exec "$0" "$@"`
    const env = { PATH: process.env.PATH ?? '', HOME: home }
    expect(await ended(spawn('bash', ['-c', words, process.execPath, entry, ...add('more')], { env }))).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`error: ${config} cannot be written: `),
    })
    expect(readFileSync(config, 'utf8')).toBe(before)
    expect(readdirSync(join(home, '.config/vatom'))).toEqual(['config.json'])
  },
)

// As on a disk that has less room than the index of a database takes: no file grows beyond a kibibyte.
describe.skipIf(process.platform === 'win32')('on a disk without room for the index of the database', () => {
  async function fullMachine() {
    const { home, vatom } = newMachine()
    const created = await vatom(['template', 'create', `${root}templates-examples/coffee-coupon.yaml`])
    expect(created).toMatchObject({ code: 0 })
    const env = { PATH: process.env.PATH ?? '', HOME: home }
    const words = `ulimit -f 1 && exec "$0" "$@"`
    return (...args: string[]) =>
      ended(spawn('bash', ['-c', words, process.execPath, entry, ...args], { cwd: home, env }))
  }

  test('commands read what is there, and what cannot be written has the hint to make room', async () => {
    const vatom = await fullMachine()
    for (const at of [1, 2])
      expect({ at, ...(await vatom('template', 'list')) }).toMatchObject({
        code: 0,
        out: 'local.vatom::CoffeeCoupon::v1\tdraft\t\n',
      })
    const { code, err } = await vatom('template', 'delete', 'local.vatom::CoffeeCoupon::v1', '--yes')
    expect([code, err]).toEqual([5, expect.stringMatching(/^hint: make room on the disk of the service, if /m)])
  })

  test('serve says that it is full, and to make room', async () => {
    const vatom = await fullMachine()
    const { code, out, err } = await vatom('serve', '--port', '0')
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^error: \S+ cannot be used: database or disk is full\nhint: name another file, or make room on its disk\n$/,
      ),
    })
  })
})
