import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMachine, root } from '../support/binary.ts'

const status = () =>
  execFileSync('git', ['status', '--porcelain', 'templates-examples', 'bin', 'package-lock.json'], {
    cwd: root,
    encoding: 'utf8',
  })

test('the first command publishes a template on an empty machine; again it says that it exists', async () => {
  const { vatom, home } = newMachine()
  const create = () => vatom(['template', 'create', 'templates-examples/coffee-coupon.yaml'], { cwd: root })
  const before = { tops: readdirSync(root), status: status() }

  const first = await create()
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('local.vatom::CoffeeCoupon::v1') })
  expect(first.err).toContain('this machine only')

  const second = await create()
  expect(second.code).toBe(1)
  expect(second.out + second.err).toMatch(/already/)
  expect(second.err).toContain('vatom template update templates-examples/coffee-coupon.yaml')
  expect(second.err).not.toMatch(/^\s+at /m)

  expect({ tops: readdirSync(root), status: status() }).toEqual(before)
  // Another Node than the one that built the package stores compiled code.
  expect(readdirSync(home).filter((name) => name !== '.cache')).toEqual(['.local'])
})

test('what one run creates the next run finds', async () => {
  const { vatom } = newMachine()
  await vatom(['template', 'create', join(root, 'templates-examples/coffee-coupon.yaml')])
  const { code, out } = await vatom(['template', 'list', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject([{ name: 'local.vatom::CoffeeCoupon::v1' }])
})

test('the lists of languages and currencies are there when a code is looked at', async () => {
  const { vatom } = newMachine()
  const change = (language: string) => vatom(['profile', 'set', '--language', language])
  expect(await change('xx')).toMatchObject({ code: 2, err: expect.stringContaining('ISO 639-1') })
  expect(await change('de')).toMatchObject({ code: 0 })
  const priced = readFileSync(join(root, 'templates-examples/coffee-coupon.yaml'), 'utf8').replace('EUR', 'QQQ')
  expect(await vatom(['template', 'validate', '-'], { input: priced })).toMatchObject({
    code: 3,
    err: expect.stringContaining('ISO 4217'),
  })
})

test('a pattern in quotes names every file that it matches', async () => {
  const { vatom } = newMachine()
  const { code, out } = await vatom(['validate', 'templates-examples/coffee-*.yaml'], { cwd: root })
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('templates-examples/coffee-coupon.yaml') })
})
