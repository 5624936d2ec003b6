import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dirsOf, localDatabase } from '../../../src/cli/dirs.ts'
import { recordServing } from '../../../src/cli/service/running.ts'
import { openDatabase } from '../../../src/server/store/database/open-database.ts'
import { migrations } from '../../../src/server/store/migrations.ts'
import { consolePages } from '../../support/console-pages.ts'
import { serving } from '../../support/serving.ts'

const served = { baseUrl: 'http://127.0.0.1:23456', appId: 'local' }

/** A machine whose local data is of an earlier version, and served by another process. */
async function machine(version = migrations.length - 1) {
  const { home, vatom } = serving({ pages: consolePages() })
  const dirs = dirsOf({ env: {}, home, cwd: home })
  const path = localDatabase(dirs)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(path, join(home, 'link.db'))
  symlinkSync(dirname(path), join(home, 'link'))
  ;(await openDatabase(path, migrations.slice(0, version))).close()
  return {
    vatom: (args: readonly string[]) => vatom(args.map((arg) => arg.replace(/^~/, home))),
    path,
    stop: recordServing(served, dirs),
    names: () => readdirSync(dirname(path)),
  }
}

describe.each([
  ['a command', ['whoami', '--context', 'local']],
  ['vatom serve', ['serve', '--port', '0']],
  ['vatom console', ['console', '--context', 'local', '--no-open']],
  ['vatom serve of a link to it', ['serve', '--port', '0', '--db', '~/link.db']],
  ['vatom serve through a link to its folder', ['serve', '--port', '0', '--db', '~/link/local.db']],
  ['vatom snapshot', ['snapshot', 'list', '--context', 'local']],
])('%s', (_, args) => {
  test('upgrades no database under a vatom serve of an earlier version', async () => {
    const { vatom, path, stop, names } = await machine()
    const { code, out, err } = await vatom(args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`${path} is used by an earlier version of vatom serve at ${served.baseUrl}\n`)
    expect(err).toMatch(/^hint: stop that, and try again: /m)
    expect(names().filter((name) => name.endsWith('.bak'))).toEqual([])
    stop()
    expect(await vatom(args)).toMatchObject({ code: 0 })
    expect(names()).toContain(`local.db.v${migrations.length - 1}.bak`)
  })

  test('uses a database of its own version beside a vatom serve', async () => {
    const { vatom } = await machine(migrations.length)
    expect(await vatom(args)).toMatchObject({ code: 0 })
  })
})
