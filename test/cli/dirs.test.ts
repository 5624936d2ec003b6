import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publisher } from '../support/vatom.ts'

test('a folder of the environment that begins with ~ is below the home, as a shell would have it', async () => {
  const { run, home } = await publisher()
  const env = { VATOM_CONFIG_DIR: '~/own', XDG_DATA_HOME: '~/data', VATOM_CACHE_DIR: '~' }
  const add = ['context', 'add', 'staging', '--base-url', 'https://api.example.com', '--app-id', 'x']
  expect(await run(add, { env, cwd: 'elsewhere' })).toMatchObject({ code: 0 })
  expect(await run(['snapshot', 'save', 'one'], { env, cwd: 'elsewhere' })).toMatchObject({ code: 0 })
  for (const path of ['own/config.json', 'data/vatom/snapshots/one.json'])
    expect(existsSync(join(home, path))).toBe(true)
  expect(readdirSync(home).sort()).toEqual(['data', 'own'])
})
