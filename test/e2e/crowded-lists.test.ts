import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { template } from '../fixtures/yaml.ts'
import { ended, entry, newMachine } from '../support/binary.ts'
import { serverOf } from '../support/servers.ts'

/** More than a function takes as arguments, with so little room for calls as here. */
const many = 20_000
const little = '--stack-size=150'

/** Runs a command with little room for calls. */
const cramped = (args: readonly string[], home: string, env = {}) =>
  ended(spawn(process.execPath, [little, entry, ...args], { cwd: home, env: { HOME: home, ...env } }))

test('very many links to folders elsewhere are reported', async () => {
  const { home } = newMachine()
  for (const name of ['c', 'shared']) mkdirSync(join(home, name))
  for (let count = 0; count < many; count++) symlinkSync('../shared', join(home, 'c', `${count}`))
  const { code, err } = await cramped(['validate', 'c'], home)
  expect({ code, err }).toEqual({
    code: 3,
    err: expect.stringContaining('c/0: is a link to a folder, which is not followed'),
  })
})

test('a pattern is looked for in very many folders', async () => {
  const { home } = newMachine()
  for (let count = 0; count < many; count++) mkdirSync(join(home, `${count}`))
  writeFileSync(join(home, '7/coupon.yaml'), template())
  expect(await cramped(['validate', '*/*.yaml'], home)).toMatchObject({ code: 0 })
})

test('very many vAtoms of one page are a document', async () => {
  const { home } = newMachine()
  const vatoms = Array.from({ length: many }, (_, index) => ({ id: `${index}` }))
  const { url } = await serverOf((_request, response) => {
    response.end(JSON.stringify({ payload: { vatoms, faces: [], actions: [] } }))
  })
  const env = { VATOM_BASE_URL: url, VATOM_APP_ID: 'app', VATOM_ACCESS_TOKEN: 'token' }
  const { code, out } = await cramped(['inventory', '--all', '--json'], home, env)
  expect({ code, count: JSON.parse(out).vatoms.length }).toEqual({ code: 0, count: many })
})
