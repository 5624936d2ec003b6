import { spawn, spawnSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { machineName } from '../../src/processes.ts'
import { template } from '../fixtures/yaml.ts'
import { ended, entry, newMachine, root } from '../support/binary.ts'
import { served } from '../support/desks.ts'

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

/** Cuts the text of a file to its half without a word, as a disk does on which there is no more room by then. */
const halving = `
const fs = require('fs')
const { writeSync } = fs
fs.writeSync = (file, content, ...more) =>
  writeSync(file, typeof content === 'string' ? content.slice(0, content.length / 2) : content, ...more)
`

/** Refuses to write the text of a file as Linux does where a quota is used up, of which Node has no name. */
const refusing = `
const fs = require('fs')
fs.writeSync = (write => (file, content, ...more) => {
  if (typeof content !== 'string') return write(file, content, ...more)
  const code = 'Unknown system error -122'
  throw Object.assign(new Error(code + ': ' + code + ', write'), { errno: -122, code, syscall: 'write' })
})(fs.writeSync)
`

describe('contexts that are stored', () => {
  const add = (name: string) => ['context', 'add', name, '--base-url', 'https://api.example.com', '--app-id', 'x']

  async function stored() {
    const machine = newMachine()
    const folder = join(machine.home, '.config/vatom')
    expect(await machine.vatom(add('first'))).toMatchObject({ code: 0 })
    return { ...machine, folder, config: join(folder, 'config.json') }
  }

  const namesOf = (config: string) => Object.keys(JSON.parse(readFileSync(config, 'utf8')).contexts)

  test('stay as they were where the disk takes a part of them and does not say so', async () => {
    const { home, folder, config, vatom } = await stored()
    const preload = join(home, 'halving.cjs')
    writeFileSync(preload, halving)
    const { code, out, err } = await vatom(add('more'), { env: { NODE_OPTIONS: `--require ${preload}` } })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`error: ${config} cannot be written: ENOSPC`)
    expect(err).toContain('hint: make room on its disk')
    expect(err).not.toContain('Added')
    expect(namesOf(config)).toEqual(['first'])
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test.runIf(process.platform === 'linux')('are not where a quota is used up, and that is said', async () => {
    const { home, config, vatom } = await stored()
    const preload = join(home, 'refusing.cjs')
    writeFileSync(preload, refusing)
    const { code, err } = await vatom(add('more'), { env: { NODE_OPTIONS: `--require ${preload}` } })
    expect({ code, err }).toEqual({
      code: 1,
      err: `error: ${config} cannot be written: EDQUOT: the quota of this user is used up\nhint: make room on its disk, or choose another folder with VATOM_CONFIG_DIR\n`,
    })
    expect(namesOf(config)).toEqual(['first'])
  })

  test('are private, and put in the place of the earlier ones as a whole, of which no copy is left', async () => {
    const { folder, config, vatom } = await stored()
    const { ino } = statSync(config)
    writeFileSync(`${config}.tmp-1`, 'of a killed process of an earlier version')
    const { pid } = spawnSync('true')
    writeFileSync(join(folder, `.vatom-${pid}__${machineName()}-0.tmp.tmp-1`), 'of a killed process')
    expect(await vatom(add('more'), { env: { SNAP: '/snap/vatom' } })).toMatchObject({ code: 0 })
    expect(statSync(config).ino).not.toBe(ino)
    expect(statSync(config).mode & 0o777).toBe(0o600)
    expect(namesOf(config)).toEqual(['first', 'more'])
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test.runIf(process.getuid?.() === 0)('stay those of another user', async () => {
    const { config, vatom } = await stored()
    chownSync(config, 65534, 65534)
    expect(await vatom(add('more'))).toMatchObject({ code: 0 })
    expect(statSync(config)).toMatchObject({ uid: 65534, gid: 65534 })
  })
})

// As on a disk that has less room than the index of a database takes: no file grows beyond a kibibyte.
describe.skipIf(process.platform === 'win32')('on a disk that is full', () => {
  test('apply sends nothing that its ledger has no room for, and continues once there is room', async () => {
    const { home } = newMachine()
    const { service, baseUrl } = await served()
    const names = Array.from({ length: 30 }, (_, index) => `local.vatom::T${index}::v1`)
    writeFileSync(join(home, 'all.yaml'), names.map((name) => template(name)).join('---\n'))
    const env = {
      ...{ PATH: process.env.PATH ?? '', HOME: home },
      ...{ VATOM_BASE_URL: baseUrl, VATOM_APP_ID: service.appId },
      VATOM_REFRESH_TOKEN: (await service.localSession()).refresh_token,
    }
    const vatom = (kibibytes: string, ...args: string[]) =>
      ended(
        spawn('bash', ['-c', `ulimit -f ${kibibytes} && exec "$0" "$@"`, process.execPath, entry, ...args], {
          cwd: home,
          env,
        }),
      )
    const created = async () => JSON.parse((await vatom('unlimited', 'template', 'list', '--json')).out).length
    expect(await vatom('unlimited', 'plan', 'all.yaml', '--out', 'all.plan')).toMatchObject({ code: 0 })

    const { code, err } = await vatom('1', 'apply', 'all.plan')
    expect([code, err]).toEqual([6, expect.stringMatching(/The apply ledger in \S+ cannot be written: /)])
    const folder = join(home, '.local/share/vatom/applied')
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
    const begun = lines.map((line) => JSON.parse(line)).filter(({ begin }) => begin !== undefined)
    const sent = await created()
    expect(sent).toBeGreaterThan(0)
    expect(begun).toHaveLength(sent)
    expect(await vatom('unlimited', 'apply', 'all.plan')).toMatchObject({ code: 0 })
    expect(await created()).toBe(names.length)
  })

  test('snapshot save does not advise to move a database away that may grow no more', async () => {
    const { home, vatom } = newMachine()
    const created = await vatom(['template', 'create', `${root}templates-examples/coffee-coupon.yaml`])
    expect(created).toMatchObject({ code: 0 })
    const env = { PATH: process.env.PATH ?? '', HOME: home }
    const words = `ulimit -f 100 && exec "$0" "$@"`
    const { code, err } = await ended(
      spawn('bash', ['-c', words, process.execPath, entry, 'snapshot', 'save', 'a'], { cwd: home, env }),
    )
    expect([code, err]).toEqual([1, expect.stringMatching(/^hint: .*larger files/m)])
    expect(err).not.toContain('move it away')
    expect(await vatom(['snapshot', 'save', 'a'])).toMatchObject({ code: 0 })
  })

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
    expect([code, err]).toEqual([
      5,
      expect.stringMatching(/^hint: .*; make room on the disk of the service, if that is full$/m),
    ])
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
